-- What rangers corrected, withdrew or recorded as an outcome since then that nobody looked at again: the last change of a passage or of an outcome,
-- with the key that the warden's page calls it by. A later word of a warden counts as looking at it. Decision note 0329.
-- Called by the gateway.
create or replace function checkpost.unchecked_changes(since timestamptz) returns table (key text, at timestamptz)
    language sql stable set search_path = '' as $$
    select 'passage:' || c.id, c.created_at from public.passage_changes c join public.user_profiles u on u.id = c.changed_by
        where u.role = 'ranger' and c.kind in ('corrected', 'withdrawn') and c.created_at >= since
            and not exists (select from public.passage_changes d
                where (d.client_id = c.client_id or d.passage_id = c.passage_id) and d.server_seq > c.server_seq)
            and not exists (select from public.change_approvals a where a.passage_change_id = c.id)
    union all
    select 'outcome:' || c.id, c.created_at from public.outcome_changes c join public.user_profiles u on u.id = c.changed_by
        where u.role = 'ranger' and c.kind in ('recorded', 'changed') and c.created_at >= since
            and not exists (select from public.outcome_changes d where d.violation_id = c.violation_id and d.id > c.id)
            and not exists (select from public.change_approvals a where a.outcome_change_id = c.id)
$$;

revoke all on function checkpost.unchecked_changes(timestamptz)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.unchecked_changes(timestamptz) to authenticated, service_role;
