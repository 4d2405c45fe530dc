-- Whether a photo may go: the term is over of photos of vehicles that something was found against (`found`), or that nothing was (`clean`; 60 days
-- at least while the vehicle has no match). A plate that was ever wanted counts as found. Of an open violation or overstay it never is. The photo of a passage that a person deleted is kept as if something was found.
-- Called by due_removals and remove_old_photos.
create or replace function checkpost.is_photo_old(name text, stored_at timestamptz, found interval, clean interval, at timestamptz) returns boolean
    language sql stable set search_path = '' as $$
    select coalesce(
        (select case
            when w.is_open then false
            when w.is_found then stored_at < at - found and p.recorded_at < at - found
            -- What is not decided yet may be: a post that was away tells its passages late.
            when exists (select from public.vehicle_passages c where c.id = any (r.rows) and c.matched_passage_id is null) then stored_at < at - greatest(clean, interval '60 days')
                and p.recorded_at < at - greatest(clean, interval '60 days') and clean is not null
            else stored_at < at - clean and p.recorded_at < at - clean end
        from public.vehicle_passages p, lateral (
            -- With its copies on other roads: it is their photo too.
            select checkpost.with_copies(p.id) as rows) r, lateral (select
            exists (select from public.violations v where v.entry_passage_id = any (r.rows) or v.exit_passage_id = any (r.rows))
                or exists (select from public.proactive_overstay_alerts a where a.entry_passage_id = any (r.rows))
                or exists (select from public.listed_plates l where l.kind = 'wanted'
                    and checkpost.compact_plate(l.plate_number) = checkpost.compact_plate(p.plate_number)) as is_found,
            exists (select from public.violations v where (v.entry_passage_id = any (r.rows) or v.exit_passage_id = any (r.rows))
                    and not exists (select from public.violation_outcomes o where o.violation_id = v.id))
                or exists (select from public.proactive_overstay_alerts a where a.entry_passage_id = any (r.rows) and not a.resolved) as is_open
            ) w
        where p.id = checkpost.photo_passage_id(is_photo_old.name)),
        not exists (select from public.vehicle_passages p where p.id = checkpost.photo_passage_id(is_photo_old.name))
            and stored_at < at - found)
$$;

revoke all on function checkpost.is_photo_old(text, timestamp with time zone, interval, interval, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
