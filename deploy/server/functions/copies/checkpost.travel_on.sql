-- Which way a vehicle went, for another road of the same post. Where one road ends and the next one begins, who leaves the one enters the other;
-- two roads that begin at the post are entered together.
-- Called by copy_passages and on_original_changed.
create or replace function checkpost.travel_on(travel text, at_post uuid, at_copy uuid) returns text
    language sql stable set search_path = '' as $$
    select case when a.position_index = b.position_index then travel
        when travel = 'entering' then 'leaving' when travel = 'leaving' then 'entering' end
    from public.checkposts a, public.checkposts b where a.id = at_post and b.id = at_copy
$$;

revoke all on function checkpost.travel_on(text, uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
