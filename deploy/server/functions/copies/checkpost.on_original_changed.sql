-- The copies of a passage follow it: what is corrected there is judged anew on every road.
-- Called by the trigger n_original of vehicle_passages.
create or replace function checkpost.on_original_changed() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    copy record;
begin
    if new.checkpost_id <> old.checkpost_id then
        perform checkpost.unlink_passage(c) from public.vehicle_passages c where c.copy_of = new.id;
        delete from public.vehicle_passages c where c.copy_of = new.id;
        perform checkpost.copy_passages(array[new.id]);
        return null;
    end if;
    for copy in select c.id, c.checkpost_id from public.vehicle_passages c where c.copy_of = new.id order by c.checkpost_id loop
        update public.vehicle_passages c set client_id = checkpost.copy_client_id(new.client_id, c.checkpost_id),
            plate_number = new.plate_number, plate_number_raw = new.plate_number_raw, vehicle_type = new.vehicle_type,
            recorded_at = new.recorded_at, ranger_id = new.ranger_id, photo_path = new.photo_path, source = new.source,
            acted_by = new.acted_by, confidence = new.confidence, clock_state = new.clock_state, photo_sha256 = new.photo_sha256,
            server_received_at = new.server_received_at
        where c.id = copy.id;
        -- As merge_upload does it for the passage: it is proven now.
        if new.client_id <> old.client_id then perform checkpost.match_passage_by_id(copy.id); end if;
    end loop;
    return null;
end
$$;

revoke all on function checkpost.on_original_changed()
    from public, anon, authenticated, service_role, authenticator;
