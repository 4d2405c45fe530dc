-- What would go now by a policy, and what stays beyond its term: {passages, violations, photos, changes, open_violations}. It reads all that is
-- old; on a large server that takes a while.
-- Called by the command `retention`.
create or replace function checkpost.due_removals(policy jsonb, at timestamptz default now()) returns jsonb
    language sql stable security definer set search_path = '' as $$
    select jsonb_build_object(
        'passages', (select count(*) from public.vehicle_passages p
            left join public.vehicle_passages q on q.id = p.matched_passage_id
            where p.recorded_at < at - t.passages and checkpost.is_passage_old(p, t.passages, at)
                and (q.id is null or checkpost.is_passage_old(q, t.passages, at))),
        'violations', (select count(*) from public.violations v
            where v.exit_time < at - t.violations and checkpost.is_violation_old(v, t.violations, at)),
        'photos', (select count(*) from storage.objects o
            where o.bucket_id = 'passage-photos' and o.created_at < at - least(t.photos, t.clean)
                and checkpost.is_photo_old(o.name, o.created_at, t.photos, t.clean, at)),
        'changes', (select count(*) from public.passage_changes c where c.created_at < at - t.changes)
            + (select count(*) from public.pair_changes c where c.created_at < at - t.changes)
            + (select count(*) from public.outcome_changes c where c.created_at < at - t.changes)
            + (select count(*) from public.withdrawn_violations c where c.withdrawn_at < at - t.changes)
            + (select count(*) from public.deleted_passages c where c.deleted_at < at - t.changes)
            + (select count(*) from public.listed_plates c where c.ended_at < at - t.changes),
        'open_violations', (select count(*) from public.violations v
            where v.exit_time < at - t.violations and not exists (select from public.violation_outcomes o where o.violation_id = v.id)))
    from (select checkpost.kept_for(policy, 'passages') as passages, checkpost.kept_for(policy, 'violations') as violations,
        checkpost.kept_for(policy, 'photos') as photos, checkpost.kept_for(policy, 'compliant_photos') as clean,
        checkpost.kept_for(policy, 'changes') as changes) t
$$;

revoke all on function checkpost.due_removals(jsonb, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.due_removals(jsonb, timestamp with time zone) to service_role;
