-- The function `resolve-alert`: {client_id of the entry, resolved_at, reason?, acted_by?}. A ranger answers for a vehicle that stayed too
-- long (it left by the same post). Answers {resolved}. Where no alert was raised yet, none will be.
-- Called by public.resolve_alert.
create or replace function checkpost.resolve_alert(answer jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    entry public.vehicle_passages;
begin
    if checkpost.is_client() and not checkpost.is_signed_in() then
        raise exception 'the account is not active' using errcode = 'PT403';
    end if;
    if answer ->> 'client_id' is null or answer ->> 'resolved_at' is null then
        raise exception 'client_id and resolved_at are needed' using errcode = 'PT400';
    end if;
    select p.* into entry from public.vehicle_passages p where p.client_id = (answer ->> 'client_id')::uuid;
    if not found then return jsonb_build_object('resolved', false, 'reason', 'there is no such passage'); end if;
    perform checkpost.require_post(entry.checkpost_id);
    insert into public.proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type, entry_time,
        expected_exit_by, resolved, resolved_at, resolved_by, resolved_reason)
    select entry.id, entry.segment_id, entry.plate_number, entry.vehicle_type, entry.recorded_at,
        entry.recorded_at + checkpost.longest_time(s),
        true, (answer ->> 'resolved_at')::timestamptz, left(answer ->> 'acted_by', 200), left(answer ->> 'reason', 1000)
    from public.highway_segments s where s.id = entry.segment_id and entry.matched_passage_id is null
    on conflict (entry_passage_id) do update set resolved = true, resolved_at = excluded.resolved_at,
        resolved_by = excluded.resolved_by, resolved_reason = excluded.resolved_reason
        where not proactive_overstay_alerts.resolved;
    return jsonb_build_object('resolved', true);
end
$$;

revoke all on function checkpost.resolve_alert(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.resolve_alert(jsonb) to authenticated, service_role;
