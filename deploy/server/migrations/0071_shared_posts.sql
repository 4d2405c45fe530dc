-- A post where two roads meet: on each further road it has a row of its own, which says at which post it stands. A passage is recorded once, at
-- the post, and counts on every one of its roads by a copy that follows it. Decision note 0338.
alter table public.checkposts
    add column stands_at uuid references public.checkposts on delete cascade,
    add constraint checkposts_stands_elsewhere check (stands_at <> id);
create index checkposts_stands_at on public.checkposts (stands_at) where stands_at is not null;

alter table public.vehicle_passages
    add column copy_of uuid references public.vehicle_passages on delete cascade;
create unique index vehicle_passages_copy_of on public.vehicle_passages (copy_of, checkpost_id) where copy_of is not null;

create function checkpost.on_post_stands() returns trigger language plpgsql as 'begin return new; end';
create trigger a_stands before insert or update of stands_at, segment_id on public.checkposts
    for each row execute function checkpost.on_post_stands();

-- After m_match, so that the plates of the post's own road are locked first.
create function checkpost.on_passage_copied() returns trigger language plpgsql as 'begin return null; end';
create trigger n_copied after insert on public.vehicle_passages referencing new table as inserted
    for each statement execute function checkpost.on_passage_copied();
-- After m_facts, for the same reason.
create function checkpost.on_original_changed() returns trigger language plpgsql as 'begin return null; end';
create trigger n_original after update of client_id, plate_number, plate_number_raw, vehicle_type, checkpost_id, recorded_at, ranger_id,
        photo_path, source, acted_by, confidence, clock_state, photo_sha256, travel
    on public.vehicle_passages for each row when (new.copy_of is null)
    execute function checkpost.on_original_changed();
create function checkpost.on_review_copied() returns trigger language plpgsql as 'begin return null; end';
create trigger n_copied after insert or update on public.post_reviews
    for each row execute function checkpost.on_review_copied();

create function checkpost.other_roads() returns uuid[] language sql stable security definer set search_path = '' as $$ select null::uuid[] $$;
revoke all on function checkpost.other_roads() from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.other_roads() to authenticated, service_role;

-- What the ranger of such a post sees of its further roads, and does there.
create policy other_road_read on public.vehicle_passages for select to authenticated
    using (segment_id = any ((select checkpost.other_roads())::uuid[]));
create policy other_road_read on public.violations for select to authenticated
    using (segment_id = any ((select checkpost.other_roads())::uuid[]));
create policy other_road_delivered on public.violations for update to authenticated
    using (segment_id = any ((select checkpost.other_roads())::uuid[]))
    with check (segment_id = any ((select checkpost.other_roads())::uuid[]));
create policy other_road_read on public.withdrawn_violations for select to authenticated
    using (segment_id = any ((select checkpost.other_roads())::uuid[]));
create policy other_road_read on public.proactive_overstay_alerts for select to authenticated
    using (segment_id = any ((select checkpost.other_roads())::uuid[]));
create policy other_road_read on public.violation_outcomes for select to authenticated
    using (checkpost.violation_segment(violation_id) = any ((select checkpost.other_roads())::uuid[]));
create policy other_road_insert on public.violation_outcomes for insert to authenticated
    with check (recorded_by = (select auth.uid())
        and checkpost.violation_segment(violation_id) = any ((select checkpost.other_roads())::uuid[]));
create policy other_road_update_for_a_day on public.violation_outcomes for update to authenticated
    using (recorded_by = (select auth.uid()) and least(recorded_at, created_at) > now() - interval '24 hours'
        and checkpost.violation_segment(violation_id) = any ((select checkpost.other_roads())::uuid[]))
    with check (recorded_by = (select auth.uid()));
