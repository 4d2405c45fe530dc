-- Looks for partners of what was inserted. For the statement and not for each row: a batch locks its plates in one order, whatever its own.
-- Called by the trigger m_match of vehicle_passages.
create or replace function checkpost.on_passage_match() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    name text;
    passage uuid;
begin
    for name in
        select n from (select i.segment_id::text || ' ' || checkpost.compact_plate(i.plate_number) as n from inserted i) v
        group by n order by hashtext(n)
    loop
        perform checkpost.lock_name(7217, name);
    end loop;
    for passage in select i.id from inserted i order by i.server_seq loop
        perform checkpost.match_passage_by_id(passage);
    end loop;
    return null;
end
$$;

revoke all on function checkpost.on_passage_match()
    from public, anon, authenticated, service_role, authenticator;
