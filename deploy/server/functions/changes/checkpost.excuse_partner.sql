-- Closes the overstay of a passage whose partner the warden took off the record. The vehicle was seen at both posts all the same. A closed
-- alert says so and keeps the round from raising one.
-- Called by change_passage and on_passage_delete.
create or replace function checkpost.excuse_partner(partner uuid, reason text) returns void
    language sql security definer set search_path = '' as $$
    insert into public.proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type, entry_time,
        expected_exit_by, resolved, resolved_at, resolved_by, resolved_reason)
    select p.id, p.segment_id, p.plate_number, p.vehicle_type, p.recorded_at, p.recorded_at + checkpost.longest_time(s),
        true, now(), coalesce((select u.full_name from public.user_profiles u where u.id = auth.uid()), 'the warden'), reason
    from public.vehicle_passages p join public.highway_segments s on s.id = p.segment_id
    where p.id = partner and p.matched_passage_id is null
    on conflict (entry_passage_id) do update set resolved = true, resolved_at = excluded.resolved_at,
        resolved_by = excluded.resolved_by, resolved_reason = excluded.resolved_reason
        where not proactive_overstay_alerts.resolved
$$;

revoke all on function checkpost.excuse_partner(uuid, text)
    from public, anon, authenticated, service_role, authenticator;
