-- Takes back a match, with the violation that it was. Alerts that it had answered are open again; one of the passage itself goes.
-- Called by change_passage, join_text and on_passage_facts.
create or replace function checkpost.unlink_passage(passage public.vehicle_passages) returns void
    language plpgsql security definer set search_path = '' as $$
begin
    delete from public.violations v where passage.id in (v.entry_passage_id, v.exit_passage_id);
    update public.vehicle_passages set matched_passage_id = null where id in (passage.id, passage.matched_passage_id);
    -- An alert that this match had answered is open again; one of the passage itself told of a vehicle that it was not.
    update public.proactive_overstay_alerts
        set resolved = false, resolved_at = null, resolved_by_passage_id = null
        where entry_passage_id = passage.matched_passage_id and resolved_by_passage_id = passage.id;
    delete from public.proactive_overstay_alerts where entry_passage_id = passage.id;
end
$$;

revoke all on function checkpost.unlink_passage(public.vehicle_passages)
    from public, anon, authenticated, service_role, authenticator;
