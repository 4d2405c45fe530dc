-- Takes back a pair, with the violation that it was. Alerts that one of the two had answered for the other are open again.
-- Called by judge_vehicles, match_around and unlink_passage.
create or replace function checkpost.part_passages(one uuid, other uuid) returns void
    language sql security definer set search_path = '' as $$
    delete from public.violations v where one in (v.entry_passage_id, v.exit_passage_id);
    update public.vehicle_passages set matched_passage_id = null where id in (one, other) and matched_passage_id is not null;
    update public.proactive_overstay_alerts set resolved = false, resolved_at = null, resolved_by_passage_id = null
        where (entry_passage_id, resolved_by_passage_id) in ((one, other), (other, one));
$$;

revoke all on function checkpost.part_passages(uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
