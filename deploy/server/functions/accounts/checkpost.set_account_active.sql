-- Switches an account off or on. Nobody switches off the own account, so that an admin is always left. For admins.
-- Called by the gateway.
create or replace function checkpost.set_account_active(account uuid, active boolean) returns void
    language plpgsql security definer set search_path = '' as $$
begin
    if checkpost.is_client() and not checkpost.is_admin() then
        raise exception 'only an admin switches accounts off and on' using errcode = 'PT403';
    end if;
    if account = auth.uid() then
        raise exception 'nobody switches off the own account' using errcode = 'PT409', detail = 'error_own_account';
    end if;
    update public.user_profiles p set is_active = active where p.id = account;
    if not found then raise exception 'there is no such account' using errcode = 'PT404'; end if;
end
$$;

revoke all on function checkpost.set_account_active(uuid, boolean)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.set_account_active(uuid, boolean) to authenticated, service_role;
