-- Whether a passage may go, by itself: its term is over by the post's clock and by the server's, no violation stands on it, no overstay of it is
-- open, and its post has a younger one. The posts know the newest again, and would take a server without it for one that lost something.
-- Called by due_removals and remove_old_passages.
create or replace function checkpost.is_passage_old(passage public.vehicle_passages, term interval, at timestamptz) returns boolean
    language sql stable set search_path = '' as $$
    select passage.recorded_at < at - term and passage.server_received_at < at - term
        and not exists (select from public.violations v where v.entry_passage_id = passage.id)
        and not exists (select from public.violations v where v.exit_passage_id = passage.id)
        and not exists (select from public.proactive_overstay_alerts a where a.entry_passage_id = passage.id and not a.resolved)
        and exists (select from public.vehicle_passages n
            where n.checkpost_id = passage.checkpost_id and n.recorded_at > passage.recorded_at)
$$;

revoke all on function checkpost.is_passage_old(public.vehicle_passages, interval, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
