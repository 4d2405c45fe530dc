-- The round that looks for vehicles that never came out, and tidies up.

-- Drops what only people read and nobody needs for ever. Passages, violations and alerts are kept.
create function checkpost.drop_old_logs() returns void
    language sql security definer set search_path = '' as $$
    delete from public.sync_runs where created_at < now() - interval '90 days';
    delete from public.sms_messages where received_at < now() - interval '400 days';
$$;

-- Makes one alert for each unmatched passage past the longest allowed time, once. A time from an untrusted clock has
-- no deadline. Returns how many alerts it made.
create function checkpost.check_overstay() returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    made integer;
begin
    perform checkpost.lock_writes();
    perform checkpost.match_leftovers();
    perform checkpost.drop_old_logs();
    insert into public.proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type,
        entry_time, expected_exit_by)
    select p.id, p.segment_id, p.plate_number, p.vehicle_type, p.recorded_at, d.deadline
    from public.vehicle_passages p
        join public.highway_segments s on s.id = p.segment_id
        cross join lateral (select p.recorded_at
            + make_interval(secs => (s.distance_km * 3600 / s.min_speed_kmh)::double precision) as deadline) d
    where p.matched_passage_id is null and d.deadline < now() and p.clock_state is distinct from 'untrusted'
    on conflict (entry_passage_id) do nothing;
    get diagnostics made = row_count;
    return made;
end
$$;
