-- A ranger's word at the other post ends a doubt, and a vehicle that waits there since is one. The newest open alerts are asked again;
-- returns how many changed.
-- Called by check_overstay.
create or replace function checkpost.renew_doubts(at timestamptz) returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    renewed integer;
begin
    -- One statement for all posts: in one for each, the functions that it calls were planned as many times, and that took most of a round.
    with words as materialized (
        select c.id, c.segment_id, checkpost.word_of((select o.id from public.checkposts o
            where o.segment_id = c.segment_id and o.id <> c.id order by o.id limit 1), at) as word
        from public.checkposts c
        where exists (select from public.proactive_overstay_alerts a where a.segment_id = c.segment_id and not a.resolved)
    ), newest as (
        select a.id, w.word, a.plate_number, a.entry_time, a.expected_exit_by, a.entry
        from words w cross join lateral (
            select a.id, a.plate_number, a.entry_time, a.expected_exit_by, p as entry
            from public.proactive_overstay_alerts a join public.vehicle_passages p on p.id = a.entry_passage_id
            where a.segment_id = w.segment_id and p.checkpost_id = w.id and not a.resolved
                and a.created_at > at - interval '30 days'
            order by a.created_at desc limit 200) a
    ), asked as materialized (
        -- One that was raised for a post that had never told stays doubtful until that post is known up to the deadline.
        select n.id, checkpost.overstay_doubts(n.plate_number, n.entry_time, (n.entry).travel, n.expected_exit_by, case when (n.word).known >= n.expected_exit_by then n.word
                else row((n.word).code, (n.word).known, null, null, null, null)::checkpost.post_word end)
            || checkpost.unproven_texts(n.entry) || checkpost.look_alikes(n.entry) as doubts
        from newest n
    )
    update public.proactive_overstay_alerts a set doubts = d.doubts from asked d where d.id = a.id and a.doubts <> d.doubts;
    get diagnostics renewed = row_count;
    return renewed;
end
$$;

revoke all on function checkpost.renew_doubts(timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
