-- What waits for review at the caller's post, {as_of, waiting, complete_up_to}, and for it what `news` answers: a box on a quiet road asks one
-- question a cycle. It runs with the caller's rights. For posts alone.
-- The news come first: who has written sees what others are still writing, and its number would pass those rows over.
-- Called by clients.
create or replace function public.tell_reviews(jsonb) returns jsonb
    language plpgsql volatile set search_path = '' as $$
declare
    post uuid := checkpost.my_checkpost();
    news jsonb := public.news();
begin
    if post is null then raise exception 'only a post tells what waits at it' using errcode = 'PT403'; end if;
    insert into public.post_reviews (checkpost_id, as_of, waiting, complete_up_to)
    values (post, ($1 ->> 'as_of')::timestamptz, $1 -> 'waiting', ($1 ->> 'complete_up_to')::timestamptz)
    on conflict (checkpost_id) do update
        set as_of = excluded.as_of, waiting = excluded.waiting, complete_up_to = excluded.complete_up_to;
    return news;
end
$$;

revoke all on function public.tell_reviews(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.tell_reviews(jsonb) to authenticated;
