-- Which passage belongs to which, of a plate on a segment around a moment: who was matched with whom (was), and who should be (partner). A
-- walk in the order of time: a passage pairs with the one right before it where that is of the other post, within the window and not paired
-- yet. The walk begins anew where no pair can lie: after a passage of the same post, after a longer time than the window, after one that
-- left the road, before one that entered it, between two that a warden parted, beside a pair that has an outcome of a ranger and therefore
-- stays. So only the runs before and after the moment can change. At most 50 passages each way; beyond them what is matched is taken as it
-- is. Decision notes 0280, 0301 and 0305; Tests/Contract/judging.json holds box and server to the same cases.
-- Called by match_around and match_passage.
create or replace function checkpost.pairs_around(road uuid, plate text, moment timestamptz)
    returns table (id uuid, recorded_at timestamptz, was uuid, partner uuid)
    language plpgsql stable security definer set search_path = '' as $$
begin
    -- Not a function in SQL: it would be planned at each call.
    return query
    with earlier as (
        select p.id, p.checkpost_id, p.recorded_at, p.client_id, p.matched_passage_id, p.travel from public.vehicle_passages p
        where checkpost.compact_plate(p.plate_number) = plate
            and (checkpost.compact_plate(p.plate_number), p.recorded_at) < (plate, moment)
            and p.segment_id is not distinct from road and not checkpost.is_unproven_text(p.client_id, p.clock_state)
        order by checkpost.compact_plate(p.plate_number) desc, p.recorded_at desc limit 50
    ), later as (
        select p.id, p.checkpost_id, p.recorded_at, p.client_id, p.matched_passage_id, p.travel from public.vehicle_passages p
        where checkpost.compact_plate(p.plate_number) = plate
            and (checkpost.compact_plate(p.plate_number), p.recorded_at) >= (plate, moment)
            and p.segment_id is not distinct from road and not checkpost.is_unproven_text(p.client_id, p.clock_state)
        order by checkpost.compact_plate(p.plate_number), p.recorded_at limit 50
    ), near as (
        select * from earlier union all select * from later
    ), ordered as (
        -- Of equal times the post whose code sorts first, as for entry and exit; at one post the greater client_id.
        select n.*, row_number() over (order by n.recorded_at, c.code collate "C", n.client_id desc) as place, count(*) over () as places
        from near n join public.checkposts c on c.id = n.checkpost_id
    ), kept as (
        select o.*, lag(o.id) over (order by o.place) as previous, o.matched_passage_id is not null and (
            exists (select from public.violations v join public.violation_outcomes w on w.violation_id = v.id
                where v.entry_passage_id = o.id)
            or exists (select from public.violations v join public.violation_outcomes w on w.violation_id = v.id
                where v.exit_passage_id = o.id)
            or ((o.place = 1 and (select count(*) from earlier) = 50 or o.place = o.places and (select count(*) from later) = 50)
                and not exists (select from near n where n.id = o.matched_passage_id))) as is_kept
        from ordered o
    ), broken as (
        -- The first one has none before it: null.
        select k.*, (k.is_kept or lag(k.is_kept) over w or lag(k.checkpost_id) over w = k.checkpost_id
            or checkpost.are_parted(k.previous, k.id)
            or k.recorded_at - lag(k.recorded_at) over w > checkpost.window_length()
            or lag(k.travel) over w is not distinct from 'leaving' or k.travel is not distinct from 'entering') is not false as is_first
        from kept k window w as (order by k.place)
    ), runs as (
        select b.*, count(*) filter (where b.is_first) over (order by b.place) as run from broken b
    ), walked as (
        select r.*, row_number() over w as position, lag(r.id) over w as before, lead(r.id) over w as after
        from runs r window w as (partition by r.run order by r.place)
    )
    select w.id, w.recorded_at, w.matched_passage_id,
        case when w.is_kept then w.matched_passage_id when w.position % 2 = 0 then w.before else w.after end
    from walked w
    where w.run >= coalesce((select max(r.run) from runs r where r.recorded_at < moment), 0)
        and w.run <= coalesce((select min(r.run) from runs r where r.recorded_at > moment), w.run)
    order by w.place;
end
$$;

revoke all on function checkpost.pairs_around(uuid, text, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
