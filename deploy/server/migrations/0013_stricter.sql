-- What a ranger's client may say of a passage, when a proposed match holds, and what a deleted passage leaves behind.

-- Whether the account of a token is still there. Asked by the gateway before each request that somebody signed in makes.
create function checkpost.has_account(account uuid) returns boolean
    language sql stable security definer set search_path = '' as $$
    select exists (select from auth.users u where u.id = account)
$$;

-- A ranger names a photo by its own place alone, and never passes an upload off as an SMS. The rules' own changes run as the owner of
-- the tables. The name sorts before b_insert, which may end an insert by a merge.
create function checkpost.on_passage_client() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if current_user <> 'authenticated' or checkpost.is_admin() then return new; end if;
    if tg_op = 'INSERT' and new.source = 'sms' then
        raise exception 'only the SMS gateway records passages of texts' using errcode = '42501';
    end if;
    -- Some clients name the photo by the passage's client_id, or put it into a folder.
    if new.photo_path is not null and (tg_op = 'INSERT' or new.photo_path is distinct from old.photo_path)
        and lower(new.photo_path) !~ format('^([a-z0-9_-]+/){0,4}(%s|%s)\.(jpg|jpeg|png)$', new.id, new.client_id) then
        raise exception 'photo_path is not the place of this passage''s photo' using errcode = '23514',
            detail = format('It is passage-photos/%s.jpg, or ends with .jpeg or .png.', new.id);
    end if;
    return new;
end
$$;
create trigger a_client before insert or update on public.vehicle_passages
    for each row execute function checkpost.on_passage_client();

-- `match-passage` as before, and within the window in which the trigger looks. Whoever may not propose learns nothing more by it:
-- the other checks come first, and an error undoes the match.
alter function checkpost.match_passage(uuid, uuid) rename to match_any_time;
create function checkpost.match_passage(entry_passage_id uuid, exit_passage_id uuid) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    answer jsonb := checkpost.match_any_time(entry_passage_id, exit_passage_id);
begin
    if (select max(p.recorded_at) - min(p.recorded_at) > checkpost.window_length() from public.vehicle_passages p
        where p.id in (entry_passage_id, exit_passage_id)) then
        raise exception 'the passages are further apart than the matching window' using errcode = 'PT422';
    end if;
    return answer;
end
$$;

-- The warden took a passage off the record that was matched. The vehicle was seen at both posts all the same: its other passage is
-- no overstay. A closed alert says so and keeps check_overstay from raising one.
create function checkpost.excuse_partner(partner uuid, reason text) returns void
    language sql security definer set search_path = '' as $$
    insert into public.proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type, entry_time,
        expected_exit_by, resolved, resolved_at, resolved_by, resolved_reason)
    select p.id, p.segment_id, p.plate_number, p.vehicle_type, p.recorded_at,
        p.recorded_at + make_interval(secs => (s.distance_km * 3600 / s.min_speed_kmh)::double precision),
        true, now(), coalesce((select u.full_name from public.user_profiles u where u.id = auth.uid()), 'the warden'), reason
    from public.vehicle_passages p join public.highway_segments s on s.id = p.segment_id
    where p.id = partner and p.matched_passage_id is null
    on conflict (entry_passage_id) do update set resolved = true, resolved_at = excluded.resolved_at,
        resolved_by = excluded.resolved_by, resolved_reason = excluded.resolved_reason
        where not proactive_overstay_alerts.resolved
$$;

-- Sorts after the reference's own trigger, which has opened the partner by then.
create function checkpost.on_passage_delete() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform checkpost.excuse_partner(old.matched_passage_id, 'the passage that it was matched with was deleted');
    return null;
end
$$;
create trigger z_partner after delete on public.vehicle_passages
    for each row when (old.matched_passage_id is not null) execute function checkpost.on_passage_delete();

-- `change-passage` as before; when it is the warden who withdraws, the partner is excused too. A post that withdraws what it misread
-- says that the vehicle was not there: then its partner has not come out.
alter function checkpost.change_passage(jsonb) rename to change_passage_of_post;
create function checkpost.change_passage(change jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    partner uuid := (select p.matched_passage_id from public.vehicle_passages p
        where p.client_id = (change ->> 'client_id')::uuid);
    answer jsonb := checkpost.change_passage_of_post(change);
begin
    if (answer ->> 'changed')::boolean and change ->> 'plate_number' is null
        and (checkpost.is_admin() or not checkpost.is_client()) then
        perform checkpost.excuse_partner(partner, 'the passage that it was matched with was withdrawn');
    end if;
    return answer;
end
$$;

revoke all on function checkpost.has_account(uuid), checkpost.on_passage_client(), checkpost.match_any_time(uuid, uuid),
    checkpost.match_passage(uuid, uuid), checkpost.excuse_partner(uuid, text), checkpost.on_passage_delete(),
    checkpost.change_passage_of_post(jsonb), checkpost.change_passage(jsonb)
    from public, anon, authenticated, service_role;
grant execute on function checkpost.has_account(uuid) to authenticator;
grant execute on function checkpost.match_passage(uuid, uuid), checkpost.change_passage(jsonb)
    to authenticated, service_role;
