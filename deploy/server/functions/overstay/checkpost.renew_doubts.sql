-- A ranger's word at the other post ends a doubt, and a vehicle that waits there since is one. The newest open alerts are asked again;
-- returns how many changed.
-- Called by check_overstay.
create or replace function checkpost.renew_doubts(at timestamptz) returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    post public.checkposts;
    word checkpost.post_word;
    renewed integer;
    total integer := 0;
begin
    for post in select c.* from public.checkposts c order by c.segment_id, c.id loop
        word := checkpost.word_of((select c.id from public.checkposts c
            where c.segment_id = post.segment_id and c.id <> post.id order by c.id limit 1), at);
        with newest as (
            -- One that was raised for a post that had never told stays doubtful until that post is known up to the deadline.
            select a.id, checkpost.overstay_doubts(a.plate_number, a.entry_time, case when word.known >= a.expected_exit_by then word
                    else row(word.code, word.known, null, null, null)::checkpost.post_word end)
                || checkpost.unproven_texts(p) || checkpost.look_alikes(p) as doubts
            from public.proactive_overstay_alerts a join public.vehicle_passages p on p.id = a.entry_passage_id
            where a.segment_id = post.segment_id and p.checkpost_id = post.id and not a.resolved
                and a.created_at > at - interval '30 days'
            order by a.created_at desc limit 200
        )
        update public.proactive_overstay_alerts a set doubts = n.doubts from newest n where n.id = a.id and a.doubts <> n.doubts;
        get diagnostics renewed = row_count;
        total := total + renewed;
    end loop;
    return total;
end
$$;

revoke all on function checkpost.renew_doubts(timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
