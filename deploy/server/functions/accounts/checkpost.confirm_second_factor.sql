-- From now on the caller's own sign-in asks for a code. Everything else that is signed in with the account is signed out: it asked for none.
-- A wrong code is told, not raised: what is counted of it has to stay.
-- Called by the gateway.
create or replace function checkpost.confirm_second_factor(code text) returns boolean
    language plpgsql security definer set search_path = '' as $$
begin
    if not checkpost.reads_all() then raise exception 'only who reads all has a second factor' using errcode = 'PT403'; end if;
    perform from checkpost.second_factors f where f.user_id = auth.uid() and f.confirmed_at is null;
    if not found then raise exception 'no second factor was begun' using errcode = 'PT404'; end if;
    if not checkpost.takes_code(auth.uid(), code) then return false; end if;
    update checkpost.second_factors f set confirmed_at = now() where f.user_id = auth.uid();
    perform checkpost.sign_out('others');
    perform checkpost.keep_account_change(auth.uid(), 'second_factor_on');
    return true;
end
$$;

revoke all on function checkpost.confirm_second_factor(text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.confirm_second_factor(text) to authenticated;
