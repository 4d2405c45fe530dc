-- Queries whose plan was a guess. Of a table that was never analysed the planner thinks that a segment and a day hold one row, so of two
-- indexes that look alike it took the one that reads the day instead of the plate: 4,000 passages in one insert took 20 s.

-- Unmatched passages by plate. The time is compared together with the plate, and the segment in a way that no index answers: then this
-- is the only index that helps to find a partner, whatever the planner knows of the table.
drop index public.vehicle_passages_open_plate;
create index vehicle_passages_open_plates on public.vehicle_passages (checkpost.compact_plate(plate_number), recorded_at)
    where matched_passage_id is null;

-- Passages that are here by their text alone: few, whatever the table holds.
create index vehicle_passages_texts on public.vehicle_passages (checkpost_id, recorded_at)
    where source = 'sms' and client_id = sms_client_id;

create or replace function checkpost.match_passage_by_id(passage_id uuid) returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    passage public.vehicle_passages;
    plate text;
    partner uuid;
    span interval := checkpost.window_length();
begin
    select p.* into passage from public.vehicle_passages p where p.id = passage_id;
    if not found then return false; end if;
    perform checkpost.lock_plate(passage.segment_id, passage.plate_number);
    select p.* into passage from public.vehicle_passages p
        where p.id = passage_id and p.matched_passage_id is null and checkpost.is_whole_plate(p.plate_number)
        for no key update skip locked;
    if not found then return false; end if;
    plate := checkpost.compact_plate(passage.plate_number);
    -- Nearest in time; of equal distances the earlier, of equal times the smaller client_id.
    select p.id into partner from public.vehicle_passages p
        where p.matched_passage_id is null and checkpost.compact_plate(p.plate_number) = plate
            and (checkpost.compact_plate(p.plate_number), p.recorded_at) >= (plate, passage.recorded_at - span)
            and (checkpost.compact_plate(p.plate_number), p.recorded_at) <= (plate, passage.recorded_at + span)
            and p.segment_id is not distinct from passage.segment_id and p.checkpost_id is distinct from passage.checkpost_id
        order by abs(extract(epoch from p.recorded_at - passage.recorded_at)), p.recorded_at, p.client_id
        limit 1 for no key update skip locked;
    if found then
        perform checkpost.link_passages(passage.id, partner);
        return true;
    end if;
    insert into checkpost.skipped_matches (passage_id)
    select passage.id where exists (select from public.vehicle_passages p
        where p.matched_passage_id is null and checkpost.compact_plate(p.plate_number) = plate
            and (checkpost.compact_plate(p.plate_number), p.recorded_at) >= (plate, passage.recorded_at - span)
            and (checkpost.compact_plate(p.plate_number), p.recorded_at) <= (plate, passage.recorded_at + span)
            and p.segment_id is not distinct from passage.segment_id and p.checkpost_id is distinct from passage.checkpost_id)
    on conflict do nothing;
    return false;
end
$$;
