-- The segment of a violation, for policies of what hangs on it.
-- Called by policies of violation_outcomes.
create or replace function checkpost.violation_segment(violation uuid) returns uuid
    language sql stable security definer set search_path = '' as $$
    select v.segment_id from public.violations v where v.id = violation
$$;

revoke all on function checkpost.violation_segment(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.violation_segment(uuid) to authenticated, service_role;
