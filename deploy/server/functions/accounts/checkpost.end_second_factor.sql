-- The account's sign-in asks for no code any more. One's own takes a code, since a page may have been left open; that of somebody else, whose
-- telephone is lost, is an admin's to end and takes none; nor does the server's own command. The row in account_changes says who.
-- Called by the gateway.
create or replace function checkpost.end_second_factor(account uuid, code text) returns boolean
    language plpgsql security definer set search_path = '' as $$
begin
    if checkpost.is_client() and not checkpost.is_admin() and (account is distinct from auth.uid() or not checkpost.reads_all()) then
        raise exception 'only an admin ends the second factor of somebody else' using errcode = 'PT403';
    end if;
    perform from checkpost.second_factors f where f.user_id = account and f.confirmed_at is not null;
    if not found then raise exception 'the account has no second factor' using errcode = 'PT404'; end if;
    if account = auth.uid() and not checkpost.takes_code(account, code) then return false; end if;
    delete from checkpost.second_factors f where f.user_id = account;
    perform checkpost.keep_account_change(account, 'second_factor_off');
    return true;
end
$$;

revoke all on function checkpost.end_second_factor(uuid, text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.end_second_factor(uuid, text) to authenticated, service_role;
