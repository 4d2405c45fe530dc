-- Locks the plates of a passage before and after a correction, in one order.
-- Called by change_passage, check_change, judge_vehicles, on_passage_facts_lock and undo_pair_change.
create or replace function checkpost.lock_plates(old public.vehicle_passages, new public.vehicle_passages) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    name text;
begin
    for name in
        select n from (values (old.segment_id::text || ' ' || checkpost.compact_plate(old.plate_number)),
            (new.segment_id::text || ' ' || checkpost.compact_plate(new.plate_number))) v (n) group by n order by hashtext(n)
    loop
        perform checkpost.lock_name(7217, name);
    end loop;
end
$$;

revoke all on function checkpost.lock_plates(public.vehicle_passages, public.vehicle_passages)
    from public, anon, authenticated, service_role, authenticator;
