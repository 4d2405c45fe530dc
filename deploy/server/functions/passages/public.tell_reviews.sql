-- What waits for review at the caller's post, {as_of, waiting, complete_up_to}, and for it what `news` answers: a box on a quiet road asks one
-- question a cycle. It runs with the caller's rights. For posts alone.
-- Called by clients.
create or replace function public.tell_reviews(told jsonb) returns jsonb
    language plpgsql volatile set search_path = '' as $$
declare
    post uuid := checkpost.my_checkpost();
begin
    if post is null then raise exception 'only a post tells what waits at it' using errcode = 'PT403'; end if;
    insert into public.post_reviews (checkpost_id, as_of, waiting, complete_up_to)
    values (post, (told ->> 'as_of')::timestamptz, told -> 'waiting', (told ->> 'complete_up_to')::timestamptz)
    on conflict (checkpost_id) do update
        set as_of = excluded.as_of, waiting = excluded.waiting, complete_up_to = excluded.complete_up_to;
    return public.news();
end
$$;

revoke all on function public.tell_reviews(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.tell_reviews(jsonb) to authenticated;
