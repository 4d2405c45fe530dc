-- Who may see and do what. `authenticated` covers rangers and admins; which of them a user is, and whether the account is active,
-- is read from the tables for every statement, so that a deactivated user's token is worth nothing at once.

-- Anyone signed in with an account that was not deactivated.
create function checkpost.is_signed_in() returns boolean
    language sql stable security definer set search_path = '' as $$
    select exists (
        select from auth.users u left join public.user_profiles p on p.id = u.id
        where u.id = auth.uid() and coalesce(p.is_active, true)
            and coalesce(u.banned_until <= now(), true))
$$;

create function checkpost.is_admin() returns boolean
    language sql stable security definer set search_path = '' as $$
    select exists (select from public.user_profiles p where p.id = auth.uid() and p.is_active and p.role = 'admin')
$$;

-- The checkpost of the signed-in ranger; null for everybody else.
create function checkpost.my_checkpost() returns uuid
    language sql stable security definer set search_path = '' as $$
    select p.assigned_checkpost_id from public.user_profiles p
    where p.id = auth.uid() and p.is_active and p.role = 'ranger'
$$;

create function checkpost.my_segment() returns uuid
    language sql stable security definer set search_path = '' as $$
    select c.segment_id from public.user_profiles p join public.checkposts c on c.id = p.assigned_checkpost_id
    where p.id = auth.uid() and p.is_active and p.role = 'ranger'
$$;

create function checkpost.violation_segment(violation uuid) returns uuid
    language sql stable security definer set search_path = '' as $$
    select v.segment_id from public.violations v where v.id = violation
$$;

-- A client is a request in one of the two roles that row level security holds for. The setting outlives the
-- change of user inside a `security definer` function; current_user does not.
create function checkpost.is_client() returns boolean
    language sql stable set search_path = '' as $$
    select coalesce(current_setting('role', true), 'none') in ('anon', 'authenticated')
$$;

do $$
declare
    name text;
begin
    foreach name in array array['parks', 'highway_segments', 'checkposts', 'user_profiles', 'vehicle_passages',
        'violations', 'violation_outcomes', 'proactive_overstay_alerts', 'sync_metadata', 'sync_runs',
        'device_settings', 'sms_messages', 'server_settings']
    loop
        execute format('alter table public.%I enable row level security', name);
        -- A Supabase project grants everything to everybody on new tables.
        execute format('revoke all on public.%I from public, anon, authenticated, service_role', name);
        execute format('grant select, insert, delete on public.%I to authenticated, service_role', name);
        if name <> 'vehicle_passages' then
            execute format('grant update on public.%I to authenticated, service_role', name);
        end if;
        execute format('create policy admins_do_all on public.%I for all to authenticated
            using ((select checkpost.is_admin())) with check ((select checkpost.is_admin()))', name);
    end loop;
end
$$;

-- Nobody sets a match or a sequence number; the triggers do.
grant update (id, client_id, plate_number, plate_number_raw, vehicle_type, checkpost_id, segment_id, recorded_at,
    server_received_at, ranger_id, photo_path, source, created_at, sms_client_id, acted_by, confidence, clock_state,
    photo_sha256) on public.vehicle_passages to authenticated, service_role;
revoke all on sequence public.server_seq from public, anon, authenticated, service_role;

create policy signed_in_read on public.parks for select to authenticated
    using ((select checkpost.is_signed_in()));
create policy signed_in_read on public.highway_segments for select to authenticated
    using ((select checkpost.is_signed_in()));
create policy signed_in_read on public.checkposts for select to authenticated
    using ((select checkpost.is_signed_in()));

create policy own_read on public.user_profiles for select to authenticated
    using (id = (select auth.uid()) and is_active);

create policy segment_read on public.vehicle_passages for select to authenticated
    using (segment_id = (select checkpost.my_segment()));
create policy own_post_insert on public.vehicle_passages for insert to authenticated
    with check (checkpost_id = (select checkpost.my_checkpost()) and ranger_id = (select auth.uid()));
-- Which columns a ranger may change is decided in checkpost.on_passage_change.
create policy own_update on public.vehicle_passages for update to authenticated
    using (ranger_id = (select auth.uid()) and segment_id = (select checkpost.my_segment()))
    with check (ranger_id = (select auth.uid()) and segment_id = (select checkpost.my_segment()));

create policy segment_read on public.violations for select to authenticated
    using (segment_id = (select checkpost.my_segment()));

create policy segment_read on public.violation_outcomes for select to authenticated
    using (checkpost.violation_segment(violation_id) = (select checkpost.my_segment()));
create policy own_insert on public.violation_outcomes for insert to authenticated
    with check (recorded_by = (select auth.uid())
        and checkpost.violation_segment(violation_id) = (select checkpost.my_segment()));
-- The device says when the outcome was recorded; a date in the future must not stretch the day in which it can be changed.
create policy own_update_for_a_day on public.violation_outcomes for update to authenticated
    using (recorded_by = (select auth.uid()) and least(recorded_at, created_at) > now() - interval '24 hours'
        and checkpost.violation_segment(violation_id) = (select checkpost.my_segment()))
    with check (recorded_by = (select auth.uid()));

create policy segment_read on public.proactive_overstay_alerts for select to authenticated
    using (segment_id = (select checkpost.my_segment()));

create policy own_rows on public.sync_metadata for all to authenticated
    using (user_id = (select auth.uid()) and (select checkpost.is_signed_in()))
    with check (user_id = (select auth.uid()) and (select checkpost.is_signed_in()));
create policy own_rows on public.sync_runs for all to authenticated
    using (user_id = (select auth.uid()) and (select checkpost.is_signed_in()))
    with check (user_id = (select auth.uid()) and (select checkpost.is_signed_in()));

create policy own_post_read on public.device_settings for select to authenticated
    using (checkpost_id = (select checkpost.my_checkpost()));

-- What a ranger may change about an outcome, and what nobody may pretend.
create function checkpost.on_outcome_change() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if not checkpost.is_client() or checkpost.is_admin() then return new; end if;
    if tg_op = 'INSERT' then
        new.created_at := now();
    elsif (new.id, new.violation_id, new.recorded_by, new.recorded_at, new.created_at)
        is distinct from (old.id, old.violation_id, old.recorded_by, old.recorded_at, old.created_at) then
        raise exception 'an outcome keeps its violation, its author and its time'
            using errcode = '42501', hint = 'Change only outcome_type, fine_amount, notes and acted_by.';
    end if;
    return new;
end
$$;
create trigger b_outcome before insert or update on public.violation_outcomes
    for each row execute function checkpost.on_outcome_change();
