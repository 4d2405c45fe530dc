-- The open passages of the other post that an open one may belong to, within the window of matching: of the 500 nearest in time each way the
-- 20 whose plates differ least, then the nearest. Ids alone, for who may see the passage itself.
-- Called by the gateway.
create or replace function checkpost.match_candidates(passage uuid) returns setof uuid
    language plpgsql stable security definer set search_path = '' as $$
declare
    open public.vehicle_passages;
begin
    select p.* into open from public.vehicle_passages p where p.id = passage and p.matched_passage_id is null
        and (checkpost.reads_all() or p.segment_id = checkpost.my_segment());
    if not found then return; end if;
    return query
    with near as (
        (select p.* from public.vehicle_passages p where p.segment_id = open.segment_id and p.matched_passage_id is null
            and p.checkpost_id <> open.checkpost_id and p.recorded_at >= open.recorded_at
            and p.recorded_at <= open.recorded_at + checkpost.window_length() order by p.recorded_at limit 500)
        union all
        (select p.* from public.vehicle_passages p where p.segment_id = open.segment_id and p.matched_passage_id is null
            and p.checkpost_id <> open.checkpost_id and p.recorded_at < open.recorded_at
            and p.recorded_at >= open.recorded_at - checkpost.window_length() order by p.recorded_at desc limit 500)
    )
    select n.id from near n
    where not checkpost.are_parted(n.id, open.id) and not checkpost.is_unproven_text(n.client_id, n.clock_state)
    order by checkpost.edit_distance(checkpost.compact_plate(n.plate_number), checkpost.compact_plate(open.plate_number)),
        abs(extract(epoch from n.recorded_at - open.recorded_at)), n.id limit 20;
end
$$;

revoke all on function checkpost.match_candidates(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.match_candidates(uuid) to authenticated, service_role;
