-- Whether a row of passages may go, whatever its copies: its term is over by the post's clock and by the server's, and no violation stands on it. One that overstayed
-- is kept as long as violations are (`found`), and 100 days after it was answered for. The newest of a post never goes, by its time and by its
-- number: the posts know it again, and would take a server without it for one that lost something.
-- Called by is_passage_old.
create or replace function checkpost.is_row_old(passage public.vehicle_passages, term interval, found interval, at timestamptz) returns boolean
    language sql stable set search_path = '' as $$
    select passage.recorded_at < at - term and passage.server_received_at < at - term
        and not exists (select from public.violations v where v.entry_passage_id = passage.id)
        and not exists (select from public.violations v where v.exit_passage_id = passage.id)
        and not exists (select from public.proactive_overstay_alerts a where a.entry_passage_id = passage.id
            and (not a.resolved or a.resolved_at is null or a.resolved_at >= at - interval '100 days'
                or found is null or passage.recorded_at >= at - found))
        -- The greatest by an index: `exists` would be taken for cheap, and read the table.
        and passage.recorded_at < (select max(n.recorded_at) from public.vehicle_passages n
            where n.checkpost_id = passage.checkpost_id and n.recorded_at <= at)
        and passage.server_seq < (select max(n.server_seq) from public.vehicle_passages n where n.checkpost_id = passage.checkpost_id)
$$;

revoke all on function checkpost.is_row_old(public.vehicle_passages, interval, interval, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
