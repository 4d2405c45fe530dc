-- Looks for the passage that belongs to this one and links both. Returns whether it found one. A row that somebody holds by hand must not
-- stop a passage from being recorded: it is skipped, and noted in skipped_matches for match_leftovers. `no key update` instead of `update`:
-- a reference to the row (an alert) does not count as holding it. Decision note 0163 says in which order locks are taken.
-- A text that nobody has proven matches nothing: decision note 0244.
-- Called by change_passage, join_text, match_leftovers, merge_upload, on_passage_facts and on_passage_match.
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
    if not found or checkpost.is_unproven_text(passage.client_id, passage.clock_state) then return false; end if;
    plate := checkpost.compact_plate(passage.plate_number);
    -- Nearest in time; of equal distances the earlier, of equal times the smaller client_id.
    select p.id into partner from public.vehicle_passages p
        where p.matched_passage_id is null and checkpost.compact_plate(p.plate_number) = plate
            and (checkpost.compact_plate(p.plate_number), p.recorded_at) >= (plate, passage.recorded_at - span)
            and (checkpost.compact_plate(p.plate_number), p.recorded_at) <= (plate, passage.recorded_at + span)
            and p.segment_id is not distinct from passage.segment_id and p.checkpost_id is distinct from passage.checkpost_id
            and not checkpost.is_unproven_text(p.client_id, p.clock_state)
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
            and p.segment_id is not distinct from passage.segment_id and p.checkpost_id is distinct from passage.checkpost_id
            and not checkpost.is_unproven_text(p.client_id, p.clock_state))
    on conflict do nothing;
    return false;
end
$$;

revoke all on function checkpost.match_passage_by_id(uuid)
    from public, anon, authenticated, service_role, authenticator;
