-- Whether a violation may go: its term is over, and it was settled a month ago or longer. One without an outcome is open, however old it is.
-- Called by due_removals and remove_old_violations.
create or replace function checkpost.is_violation_old(violation public.violations, term interval, at timestamptz) returns boolean
    language sql stable set search_path = '' as $$
    select violation.exit_time < at - term and violation.created_at < at - term
        and exists (select from public.violation_outcomes o
            where o.violation_id = violation.id and o.recorded_at < at - interval '30 days')
$$;

revoke all on function checkpost.is_violation_old(public.violations, interval, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
