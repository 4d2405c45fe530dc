-- Works out the pairs around what was inserted. For the statement and not for each row: a batch locks its plates in one order, whatever its
-- own, and what one walk has answered for is not walked again.
-- Called by the trigger m_match of vehicle_passages.
create or replace function checkpost.on_passage_match() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    name text;
    passage record;
    walked text := '';
    until timestamptz;
begin
    for name in
        select n from (select i.segment_id::text || ' ' || checkpost.compact_plate(i.plate_number) as n from inserted i) v
        group by n order by hashtext(n)
    loop
        perform checkpost.lock_name(7217, name);
    end loop;
    for passage in
        select i.segment_id, i.plate_number, i.recorded_at, i.segment_id::text || ' ' || checkpost.compact_plate(i.plate_number) as name
        from inserted i where not checkpost.is_unproven_text(i.client_id, i.clock_state) order by 4, i.recorded_at
    loop
        continue when passage.name = walked and passage.recorded_at <= until;
        until := checkpost.match_around(passage.segment_id, passage.plate_number, passage.recorded_at);
        walked := passage.name;
    end loop;
    return null;
end
$$;

revoke all on function checkpost.on_passage_match()
    from public, anon, authenticated, service_role, authenticator;
