-- Makes the copies of passages on the further roads of their post. What stands on one already is left alone. Which way the camera saw the vehicle
-- go tells of the post's own road alone.
-- Called by on_original_changed and on_passage_copied.
create or replace function checkpost.copy_passages(passages uuid[]) returns void
    language sql volatile security definer set search_path = '' as $$
    insert into public.vehicle_passages (client_id, copy_of, checkpost_id, segment_id, plate_number, plate_number_raw, vehicle_type,
        recorded_at, server_received_at, ranger_id, photo_path, source, acted_by, confidence, clock_state, photo_sha256)
    select checkpost.copy_client_id(p.client_id, c.id), p.id, c.id, c.segment_id, p.plate_number, p.plate_number_raw, p.vehicle_type,
        p.recorded_at, p.server_received_at, p.ranger_id, p.photo_path, p.source, p.acted_by, p.confidence, p.clock_state, p.photo_sha256
    from public.vehicle_passages p join public.checkposts c on c.stands_at = p.checkpost_id
    where p.id = any (passages) and p.copy_of is null
    order by p.recorded_at, p.id, c.id
    on conflict (client_id) do nothing
$$;

revoke all on function checkpost.copy_passages(uuid[])
    from public, anon, authenticated, service_role, authenticator;
