-- Gives an account a new password, which ends what was signed in with the old one. For admins; the row in account_changes says who.
-- Called by the gateway.
create or replace function checkpost.set_password(account uuid, password text) returns void
    language plpgsql security definer set search_path = '' as $$
begin
    if checkpost.is_client() and not checkpost.is_admin() then
        raise exception 'only an admin gives passwords' using errcode = 'PT403';
    end if;
    perform checkpost.admin_update_user(account, jsonb_build_object('password', password));
    perform checkpost.keep_account_change(account, 'password');
end
$$;

revoke all on function checkpost.set_password(uuid, text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.set_password(uuid, text) to authenticated, service_role;
