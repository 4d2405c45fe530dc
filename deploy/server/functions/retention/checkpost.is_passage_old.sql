-- Whether a passage may go, by itself: its row may, and so may its copies on other roads and whatever these are matched with.
-- Called by due_removals and remove_old_passages.
create or replace function checkpost.is_passage_old(passage public.vehicle_passages, term interval, found interval, at timestamptz) returns boolean
    language sql stable set search_path = '' as $$
    select checkpost.is_row_old(passage, term, found, at)
        and not exists (select from public.vehicle_passages c where c.copy_of = passage.id and not checkpost.is_row_old(c, term, found, at))
        and not exists (select from public.vehicle_passages c join public.vehicle_passages q on q.id = c.matched_passage_id
            where c.copy_of = passage.id and not checkpost.is_row_old(q, term, found, at))
$$;

revoke all on function checkpost.is_passage_old(public.vehicle_passages, interval, interval, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
