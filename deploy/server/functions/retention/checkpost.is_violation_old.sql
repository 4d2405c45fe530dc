-- Whether a violation may go: its term is over, and its outcome was last touched 100 days ago or longer, by the post's clock and by the server's:
-- the posts compare 90 days of outcomes. One without an outcome is open, however old it is.
-- Called by due_removals and remove_old_violations.
create or replace function checkpost.is_violation_old(violation public.violations, term interval, at timestamptz) returns boolean
    language sql stable set search_path = '' as $$
    select violation.exit_time < at - term and violation.created_at < at - term
        and exists (select from public.violation_outcomes o
            where o.violation_id = violation.id and o.recorded_at < at - interval '100 days')
        and not exists (select from public.outcome_changes c
            where c.violation_id = violation.id and c.created_at >= at - interval '100 days')
$$;

revoke all on function checkpost.is_violation_old(public.violations, interval, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
