-- Links entry and exit, judges them and returns the id of the violation, or null when there is none. Both must be locked and unmatched. The
-- order of the arguments does not matter.
-- Called by match_around.
create or replace function checkpost.link_passages(one uuid, other uuid) returns uuid
    language plpgsql security definer set search_path = '' as $$
declare
    entry public.vehicle_passages;
    leaving public.vehicle_passages;
begin
    select p.* into strict entry from public.vehicle_passages p where p.id = checkpost.entry_of(one, other);
    select p.* into strict leaving from public.vehicle_passages p where p.id in (one, other) and p.id <> entry.id;
    update public.vehicle_passages set matched_passage_id = leaving.id, is_entry = true where id = entry.id;
    update public.vehicle_passages set matched_passage_id = entry.id, is_entry = false where id = leaving.id;

    -- A late arrival can show that a passage with an alert was an exit; that alert is answered as well.
    update public.proactive_overstay_alerts
        set resolved = true, resolved_at = now(),
            resolved_by_passage_id = case entry_passage_id when entry.id then leaving.id else entry.id end
        where entry_passage_id in (entry.id, leaving.id) and not resolved;
    return checkpost.judge_pair(entry, leaving);
end
$$;

revoke all on function checkpost.link_passages(uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
