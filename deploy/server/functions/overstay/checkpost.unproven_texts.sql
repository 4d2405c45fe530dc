-- What an open alert waits for beside reviews: texts that nobody has proven and that tell of the plate at another post after its entry, as up to
-- three of {"kind": "told_by_text", "checkpost", "at"}.
-- Called by raise_overstay_alerts and renew_doubts.
create or replace function checkpost.unproven_texts(entry public.vehicle_passages) returns jsonb
    language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
    plate text := checkpost.compact_plate(entry.plate_number);
begin
    -- Planned once: with this many indexes planning takes ten times as long as looking. Plate and time are compared together, so that no other
    -- index will do.
    return (select coalesce(jsonb_agg(jsonb_build_object('kind', 'told_by_text', 'checkpost', t.code,
        'at', to_char(t.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by t.recorded_at), '[]')
    from (select c.code, p.recorded_at from public.vehicle_passages p join public.checkposts c on c.id = p.checkpost_id
        where checkpost.compact_plate(p.plate_number) = plate
            and (checkpost.compact_plate(p.plate_number), p.recorded_at) > (plate, entry.recorded_at)
            and p.segment_id = entry.segment_id and p.checkpost_id <> entry.checkpost_id
            and p.matched_passage_id is null and checkpost.is_unproven_text(p.client_id, p.clock_state)
        order by checkpost.compact_plate(p.plate_number), p.recorded_at limit 3) t);
end
$$;

revoke all on function checkpost.unproven_texts(public.vehicle_passages)
    from public, anon, authenticated, service_role, authenticator;
