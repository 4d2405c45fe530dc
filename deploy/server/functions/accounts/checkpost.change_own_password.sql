-- Gives the caller's own account a new password, for whoever knows the old one: a page that was left open is not enough. What else is signed in
-- with the account is signed out; the caller stays. For wardens, admins and auditors: a ranger's account may be a box's.
-- Called by the gateway.
create or replace function checkpost.change_own_password(former text, password text) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    account auth.users;
begin
    if not checkpost.reads_all() then raise exception 'only who reads all changes the own password' using errcode = 'PT403'; end if;
    select u.* into account from auth.users u where u.id = auth.uid() for update;
    if sha256(convert_to(extensions.crypt(left(former, 200), account.encrypted_password), 'UTF8'))
        is distinct from sha256(convert_to(account.encrypted_password, 'UTF8')) or octet_length(former) > 72 then
        raise exception 'the former password is another' using errcode = 'PT422', detail = 'error_former_password';
    end if;
    perform checkpost.check_password(password);
    update auth.users u set encrypted_password = extensions.crypt(password, extensions.gen_salt('bf', 10)), updated_at = now()
        where u.id = account.id;
    perform checkpost.sign_out('others');
    perform checkpost.keep_account_change(account.id, 'password');
end
$$;

revoke all on function checkpost.change_own_password(text, text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.change_own_password(text, text) to authenticated;
