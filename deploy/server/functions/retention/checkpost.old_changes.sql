-- The tables of changes that may go, the column that says when each was made, and what has to hold of a row `c` besides: what it is of is not here
-- any more.
-- Called by due_removals and remove_old_changes.
create or replace function checkpost.old_changes() returns table (name text, moment text, condition text)
    language sql immutable set search_path = '' as $$
    values
        ('pair_changes', 'created_at', 'not exists (select from public.vehicle_passages p where p.id in (c.entry_passage_id, c.exit_passage_id))
            and not exists (select from public.pair_changes u where u.undoes = c.id and u.created_at >= $1)'),
        ('passage_changes', 'created_at', 'c.passage_id is null'),
        ('outcome_changes', 'created_at', 'not exists (select from public.violations v where v.id = c.violation_id)'),
        ('withdrawn_violations', 'withdrawn_at', 'true'),
        ('deleted_passages', 'deleted_at',
            'c.server_seq < (select max(d.server_seq) from public.deleted_passages d where d.segment_id = c.segment_id)'),
        ('listed_plates', 'ended_at', 'true')
$$;

revoke all on function checkpost.old_changes()
    from public, anon, authenticated, service_role, authenticator;
