-- One small step of the round: at most so many alerts, none older than a month. An entry is due when its longest time is over, the other
-- post is known up to then, has said what waits there, and no vehicle that waits may be the one. What is known to have left the road is no
-- entry. Rows that somebody is matching are left to the next step. Decision note 0183 says what was settled; Tests/Contract/overstays.json holds box and server to the same cases.
-- Called by check_overstay.
create or replace function checkpost.raise_overstay_alerts(at_most integer, at timestamptz) returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    post public.checkposts;
    road public.highway_segments;
    word checkpost.post_word;
    longest interval;
    made integer;
    total integer := 0;
begin
    perform checkpost.match_leftovers();
    for post in select c.* from public.checkposts c order by c.segment_id, c.id loop
        select s.* into road from public.highway_segments s where s.id = post.segment_id;
        word := checkpost.word_of((select c.id from public.checkposts c
            where c.segment_id = post.segment_id and c.id <> post.id order by c.id limit 1), at);
        longest := checkpost.longest_time(road);
        with due as (
            select p.id, p.plate_number, p.vehicle_type, p.recorded_at, p as entry from public.vehicle_passages p
            where p.segment_id = road.id and p.checkpost_id = post.id and p.matched_passage_id is null
                and p.clock_state is distinct from 'untrusted' and p.travel is distinct from 'leaving'
                and p.recorded_at < at - longest and p.recorded_at >= at - longest - interval '30 days'
                -- Nothing is due while nothing is known.
                and p.recorded_at <= word.known - longest and p.recorded_at <= coalesce(word.told, word.known) - longest
                and not exists (select from public.proactive_overstay_alerts a where a.entry_passage_id = p.id)
                and checkpost.is_overstay_held(p.plate_number, p.recorded_at, p.recorded_at + longest, word) is not true
            order by p.recorded_at limit at_most - total for no key update of p skip locked
        )
        insert into public.proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type, entry_time,
            expected_exit_by, doubts)
        select d.id, road.id, d.plate_number, d.vehicle_type, d.recorded_at, d.recorded_at + longest,
            checkpost.overstay_doubts(d.plate_number, d.recorded_at, (d.entry).travel, d.recorded_at + longest, word)
                || checkpost.unproven_texts(d.entry)
                || checkpost.look_alikes(d.entry)
        from due d on conflict (entry_passage_id) do nothing;
        get diagnostics made = row_count;
        total := total + made;
        exit when total >= at_most;
    end loop;
    return total;
end
$$;

revoke all on function checkpost.raise_overstay_alerts(integer, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
