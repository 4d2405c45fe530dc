-- The segment of a checkpost, for policies of what hangs on it.
-- Called by policies of post_reviews.
create or replace function checkpost.checkpost_segment(post uuid) returns uuid
    language sql stable security definer set search_path = '' as $$
    select c.segment_id from public.checkposts c where c.id = post
$$;

revoke all on function checkpost.checkpost_segment(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.checkpost_segment(uuid) to authenticated, service_role;
