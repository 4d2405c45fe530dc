-- Ends one session of an account, wherever it is signed in. For admins; the row in account_changes says who.
-- Called by the gateway.
create or replace function checkpost.end_session(account uuid, session uuid) returns void
    language plpgsql security definer set search_path = '' as $$
begin
    if checkpost.is_client() and not checkpost.is_admin() then
        raise exception 'only an admin ends sessions' using errcode = 'PT403';
    end if;
    delete from checkpost.refresh_tokens t where t.user_id = account and t.session_id = session;
    if not found then raise exception 'there is no such session' using errcode = 'PT404'; end if;
    perform checkpost.keep_account_change(account, 'signed_out');
end
$$;

revoke all on function checkpost.end_session(uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.end_session(uuid, uuid) to authenticated, service_role;
