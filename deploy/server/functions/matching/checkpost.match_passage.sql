-- The function `match-passage`: a device proposes a match. It is made where the walk of pairs_around says the same, so it is a pair like any
-- other; one that the walk contradicts is refused, and the device takes its finding back. An error with SQLSTATE PTnnn is meant for HTTP as
-- status nnn.
-- Called by public.match_passage and the gateway.
create or replace function checkpost.match_passage(entry_passage_id uuid, exit_passage_id uuid) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    one public.vehicle_passages;
    other public.vehicle_passages;
begin
    if checkpost.is_client() and not checkpost.is_signed_in() then
        raise exception 'the account is not active' using errcode = 'PT403';
    end if;
    if entry_passage_id is null or exit_passage_id is null or entry_passage_id = exit_passage_id then
        raise exception 'two different passages are needed' using errcode = 'PT400';
    end if;
    -- The plate before the rows, as everywhere.
    perform checkpost.lock_plate(p.segment_id, p.plate_number) from public.vehicle_passages p where p.id = entry_passage_id;
    -- In the order of their ids, so that two callers with the same pair never wait for each other.
    select * into one from public.vehicle_passages
        where id = least(entry_passage_id, exit_passage_id) for no key update;
    select * into other from public.vehicle_passages
        where id = greatest(entry_passage_id, exit_passage_id) for no key update;
    if one.id is null or other.id is null then
        raise exception 'no such passage' using errcode = 'PT404';
    end if;
    if checkpost.is_client() and not checkpost.is_warden()
        and (checkpost.my_segment() is null
            or checkpost.my_segment() is distinct from one.segment_id
            or checkpost.my_segment() is distinct from other.segment_id) then
        raise exception 'the passages are of another segment than the caller' using errcode = 'PT403';
    end if;
    if one.matched_passage_id is not null or other.matched_passage_id is not null then
        raise exception 'a passage is matched already' using errcode = 'PT409';
    end if;
    if one.segment_id <> other.segment_id then
        raise exception 'the passages are of different segments' using errcode = 'PT422';
    end if;
    if one.checkpost_id = other.checkpost_id then
        raise exception 'the passages are of the same checkpost' using errcode = 'PT422';
    end if;
    if checkpost.compact_plate(one.plate_number) <> checkpost.compact_plate(other.plate_number) then
        raise exception 'the plates differ' using errcode = 'PT422';
    end if;
    if checkpost.is_unproven_text(one.client_id, one.clock_state) or checkpost.is_unproven_text(other.client_id, other.clock_state) then
        raise exception 'a passage is known by a text alone, whose upload has not come' using errcode = 'PT422';
    end if;
    if one.recorded_at - other.recorded_at not between - checkpost.window_length() and checkpost.window_length() then
        raise exception 'the passages are further apart than the matching window' using errcode = 'PT422';
    end if;
    if not checkpost.is_whole_plate(one.plate_number) then
        raise exception 'the plates were read in part' using errcode = 'PT422';
    end if;
    if exists (select from public.vehicle_passages p where p.id in (one.id, other.id)
        and p.travel = case p.id when checkpost.entry_of(one.id, other.id) then 'leaving' else 'entering' end) then
        raise exception 'a passage went the other way: the passages are not one trip' using errcode = 'PT422';
    end if;
    if checkpost.are_parted(one.id, other.id) then
        raise exception 'a warden said that the passages are not one trip' using errcode = 'PT422';
    end if;
    if not exists (select from checkpost.pairs_around(one.segment_id, checkpost.compact_plate(one.plate_number), one.recorded_at) a
        where a.id = one.id and a.partner = other.id) then
        raise exception 'the vehicle was seen in between: the passages are not one trip' using errcode = 'PT422';
    end if;
    perform checkpost.match_around(one.segment_id, one.plate_number, one.recorded_at);
    if not exists (select from public.vehicle_passages p where p.id = one.id and p.matched_passage_id = other.id) then
        raise exception 'a passage is being changed: ask again' using errcode = 'PT503';
    end if;
    return jsonb_build_object('matched', true, 'violation',
        (select to_jsonb(v) from public.violations v where one.id in (v.entry_passage_id, v.exit_passage_id)));
end
$$;

revoke all on function checkpost.match_passage(uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.match_passage(uuid, uuid) to authenticated, service_role;
