-- The signed-in user; null when the account is gone or not active.
-- Called by the gateway.
create or replace function checkpost.current_user_json() returns jsonb
    language sql stable security definer set search_path = '' as $$
    select checkpost.user_json(u) from auth.users u where u.id = auth.uid() and not checkpost.is_locked_out(u)
$$;

revoke all on function checkpost.current_user_json()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.current_user_json() to authenticated;
