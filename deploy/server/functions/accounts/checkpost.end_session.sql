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
    insert into public.account_changes (account_id, email, kind, changed_by)
    select u.id, u.email, 'signed_out', (select p.id from public.user_profiles p where p.id = auth.uid())
    from auth.users u where u.id = account;
end
$$;

revoke all on function checkpost.end_session(uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.end_session(uuid, uuid) to authenticated, service_role;
