-- Takes back the match of a passage that changes or goes. An alert of the passage itself told of a vehicle that it was not, and goes as well.
-- Called by change_passage, join_text, on_original_changed and on_passage_facts.
create or replace function checkpost.unlink_passage(passage public.vehicle_passages) returns void
    language sql security definer set search_path = '' as $$
    select checkpost.part_passages(passage.id, passage.matched_passage_id);
    delete from public.proactive_overstay_alerts where entry_passage_id = passage.id;
$$;

revoke all on function checkpost.unlink_passage(public.vehicle_passages)
    from public, anon, authenticated, service_role, authenticator;
