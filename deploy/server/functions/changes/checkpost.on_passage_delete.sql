-- What follows when passages are gone: the pairs of their plates are worked out anew, and a partner that finds no other is excused. The
-- trigger's name sorts after the reference's own, which has opened the partner by then.
-- Called by the trigger z_partner of vehicle_passages.
create or replace function checkpost.on_passage_delete() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    gone record;
begin
    if checkpost.is_removal() then return null; end if;
    for gone in select r.segment_id, r.plate_number, r.recorded_at, r.matched_passage_id from removed r
        order by hashtext(r.segment_id::text || ' ' || checkpost.compact_plate(r.plate_number)) loop
        perform checkpost.match_around(gone.segment_id, gone.plate_number, gone.recorded_at);
        perform checkpost.excuse_partner(gone.matched_passage_id, 'the passage that it was matched with was deleted');
    end loop;
    return null;
end
$$;

revoke all on function checkpost.on_passage_delete()
    from public, anon, authenticated, service_role, authenticator;
