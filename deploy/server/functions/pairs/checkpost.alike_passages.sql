-- The passages of the other post that look like this one, came after it within the window of matching and belong to nothing, the first three.
-- Two that a warden told apart are none. Of each plate that looks alike 20 passages are looked at, of plates that were read in part 200; for
-- an entry whose own plate was read in part, 400 open passages of the segment.
-- Called by doubtful_pairs and look_alikes.
create or replace function checkpost.alike_passages(entry public.vehicle_passages)
    returns table (id uuid, checkpost_id uuid, recorded_at timestamptz, plate_number text)
    language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
    is_whole boolean := checkpost.is_whole_plate(entry.plate_number);
    variants text[] := checkpost.look_alike_variants(entry.plate_number);
    since timestamptz := entry.recorded_at;
    until timestamptz := entry.recorded_at + checkpost.window_length();
begin
    -- Planned once: with this many indexes planning takes ten times as long as looking.
    return query
    with near as (
        select p.* from unnest(variants) v (plate) cross join lateral (
            select p.* from public.vehicle_passages p
            where checkpost.compact_plate(p.plate_number) = v.plate
                and (checkpost.compact_plate(p.plate_number), p.recorded_at) > (v.plate, since)
                and (checkpost.compact_plate(p.plate_number), p.recorded_at) <= (v.plate, until)
            order by checkpost.compact_plate(p.plate_number), p.recorded_at limit 20) p
        union all
        (select p.* from public.vehicle_passages p
            where is_whole and p.matched_passage_id is null and position('?' in p.plate_number) > 0
                and (position('?' in p.plate_number) > 0, p.recorded_at) > (true, since)
                and (position('?' in p.plate_number) > 0, p.recorded_at) <= (true, until)
            order by (position('?' in p.plate_number) > 0), p.recorded_at limit 200)
        union all
        (select p.* from public.vehicle_passages p
            where not is_whole and p.matched_passage_id is null
                and (p.segment_id, p.recorded_at) > (entry.segment_id, since)
                and (p.segment_id, p.recorded_at) <= (entry.segment_id, until)
            order by p.segment_id, p.recorded_at limit 400)
    )
    select n.id, n.checkpost_id, n.recorded_at, n.plate_number from near n
    where n.matched_passage_id is null and n.segment_id = entry.segment_id and n.checkpost_id <> entry.checkpost_id
        and n.travel is distinct from 'entering'
        and not checkpost.is_unproven_text(n.client_id, n.clock_state)
        and checkpost.may_be_same(n.plate_number, entry.plate_number)
        and not checkpost.are_parted(n.id, entry.id)
    order by n.recorded_at, n.id limit 3;
end
$$;

revoke all on function checkpost.alike_passages(public.vehicle_passages)
    from public, anon, authenticated, service_role, authenticator;
