-- Whether the caller's own account has a second factor, or one that was begun: {is_begun, is_on}.
-- Called by the gateway.
create or replace function checkpost.second_factor_state() returns jsonb
    language sql stable security definer set search_path = '' as $$
    select jsonb_build_object('is_begun', count(*) > 0, 'is_on', count(f.confirmed_at) > 0)
    from checkpost.second_factors f where f.user_id = auth.uid()
$$;

revoke all on function checkpost.second_factor_state()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.second_factor_state() to authenticated;
