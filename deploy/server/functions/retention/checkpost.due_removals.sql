-- What would go now by a policy, and what stays beyond its term: {passages, violations, photos, changes, open_violations}. It reads all that is
-- old; on a large server that takes a while.
-- Called by the command `retention`.
create or replace function checkpost.due_removals(policy jsonb, at timestamptz default now()) returns jsonb
    language plpgsql stable security definer set search_path = '' as $$
declare
    passages interval := checkpost.kept_for(policy, 'passages');
    violations interval := checkpost.kept_for(policy, 'violations');
    kept_found interval := checkpost.kept_for(policy, 'photos');
    kept_clean interval := checkpost.kept_for(policy, 'compliant_photos');
    source record;
    number bigint;
    changes bigint := 0;
begin
    for source in select * from checkpost.old_changes() loop
        execute format('select count(*) from public.%I c where c.%I < $1 and %s', source.name, source.moment, source.condition)
            into number using at - checkpost.kept_for(policy, 'changes');
        changes := changes + number;
    end loop;
    return jsonb_build_object(
        'passages', (select count(*) from public.vehicle_passages p
            left join public.vehicle_passages q on q.id = p.matched_passage_id
            where p.recorded_at < at - passages and checkpost.is_passage_old(p, passages, violations, at)
                and (q.id is null or checkpost.is_passage_old(q, passages, violations, at))),
        'violations', (select count(*) from public.violations v
            where v.exit_time < at - violations and checkpost.is_violation_old(v, violations, at)),
        'photos', (select count(*) from storage.objects o
            where o.bucket_id = 'passage-photos' and o.created_at < at - least(kept_found, kept_clean)
                and checkpost.is_photo_old(o.name, o.created_at, kept_found, kept_clean, at)),
        'changes', changes,
        'open_violations', (select count(*) from public.violations v
            where v.exit_time < at - violations and not exists (select from public.violation_outcomes o where o.violation_id = v.id)));
end
$$;

revoke all on function checkpost.due_removals(jsonb, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.due_removals(jsonb, timestamp with time zone) to service_role;
