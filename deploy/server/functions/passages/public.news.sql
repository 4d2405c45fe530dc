-- Whether there is anything to fetch: {number, reference, reviews}. A client that has read everything while `number` was the same has nothing to
-- read, and one that knows its road, its settings and the lists of a `reference` has the same ones still. What
-- the other posts of the segment say of themselves changes each minute, so it is told at once: rows of post_reviews. It runs with
-- the caller's rights.
-- Called by clients and public.tell_reviews.
create or replace function public.news() returns jsonb
    language sql volatile set search_path = '' as $$
    select jsonb_build_object('number', checkpost.settled_number(), 'reference', checkpost.reference_mark(), 'reviews', (
        select coalesce(jsonb_agg(jsonb_build_object('as_of', r.as_of, 'waiting', r.waiting, 'complete_up_to', r.complete_up_to)), '[]')
        from (select * from public.post_reviews p where p.checkpost_id is distinct from checkpost.my_checkpost()
            order by p.as_of desc limit 1) r))
$$;

revoke all on function public.news()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.news() to authenticated, service_role;
