-- Whoever came into a segment after this moment and has not come out is inside lawfully: what is older is an overstay, by the same time that
-- raises its alert.
-- Called by find_passages and the gateway.
create or replace function checkpost.inside_since(road uuid) returns timestamptz
    language sql stable security definer set search_path = '' as $$
    select now() - checkpost.longest_time(s) from public.highway_segments s where s.id = road
$$;

revoke all on function checkpost.inside_since(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.inside_since(uuid) to authenticated, service_role;
