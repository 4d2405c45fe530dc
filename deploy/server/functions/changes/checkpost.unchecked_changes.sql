-- What rangers corrected, withdrew or recorded as an outcome since then that nobody looked at again: the last change of a passage or of an outcome,
-- with the key that the warden's page calls it by, and the first of those that nobody looked at, which says what was there before. A later word
-- of a warden counts as looking at it. Decision note 0329.
-- Called by the gateway.
create or replace function checkpost.unchecked_changes(since timestamptz)
    returns table (key text, at timestamptz, first text, first_at timestamptz)
    language sql stable set search_path = '' as $$
    select 'passage:' || c.id, c.created_at, 'passage:' || f.id, f.created_at
        from public.passage_changes c cross join lateral checkpost.first_unseen(c) f
        where c.created_at >= since and c.kind in ('corrected', 'withdrawn') and checkpost.is_rangers(c.changed_by)
            and checkpost.is_word(c)
            -- Once for a passage, and not for its copies on other roads.
            and coalesce(c.old_passage, c.new_passage) ->> 'copy_of' is null
            and not exists (select from public.passage_changes d
                where (d.client_id = c.client_id or d.passage_id = c.passage_id) and d.made > c.made and checkpost.is_word(d))
            and not exists (select from public.change_approvals a where a.passage_change_id = c.id)
    union all
    select 'outcome:' || c.id, c.created_at, 'outcome:' || f.id, f.created_at
        from public.outcome_changes c cross join lateral (select d.id, d.created_at from public.outcome_changes d
            where d.violation_id = c.violation_id and d.id <= c.id and not exists (select from public.outcome_changes e
                where e.violation_id = c.violation_id and e.id between d.id and c.id and (not checkpost.is_rangers(e.changed_by)
                    or exists (select from public.change_approvals a where a.outcome_change_id = e.id)))
            order by d.id limit 1) f
        where c.created_at >= since and c.kind in ('recorded', 'changed') and checkpost.is_rangers(c.changed_by)
            and not exists (select from public.outcome_changes d where d.violation_id = c.violation_id and d.id > c.id)
            and not exists (select from public.change_approvals a where a.outcome_change_id = c.id)
$$;

revoke all on function checkpost.unchecked_changes(timestamptz)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.unchecked_changes(timestamptz) to authenticated, service_role;
