-- What a post says of its reviews holds for all of its roads.
-- Called by the trigger n_copied of post_reviews.
create or replace function checkpost.on_review_copied() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    insert into public.post_reviews (checkpost_id, as_of, waiting, complete_up_to)
    select c.id, new.as_of, new.waiting, new.complete_up_to from public.checkposts c where c.stands_at = new.checkpost_id
    on conflict (checkpost_id) do update set as_of = excluded.as_of, waiting = excluded.waiting, complete_up_to = excluded.complete_up_to;
    return null;
end
$$;

revoke all on function checkpost.on_review_copied()
    from public, anon, authenticated, service_role, authenticator;
