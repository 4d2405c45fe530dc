-- What an open alert waits for beside reviews and texts: passages of the other post that look alike and belong to nothing, after its entry and
-- within the window of matching, as up to three of {"kind": "looks_alike", "checkpost", "at", "plate"}. A vehicle whose plate was misread
-- there may be out.
-- Called by raise_overstay_alerts, renew_doubts and renew_look_alikes.
create or replace function checkpost.look_alikes(entry public.vehicle_passages) returns jsonb
    language sql stable security definer set search_path = '' as $$
    select coalesce(jsonb_agg(jsonb_build_object('kind', 'looks_alike', 'checkpost', c.code, 'plate', a.plate_number,
        'at', to_char(a.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by a.recorded_at, a.id), '[]')
    from checkpost.alike_passages(entry) a join public.checkposts c on c.id = a.checkpost_id
$$;

revoke all on function checkpost.look_alikes(public.vehicle_passages)
    from public, anon, authenticated, service_role, authenticator;
