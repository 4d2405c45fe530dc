-- Looks at the next thousand passages after a place, {at, id}, whose term is over, and removes those that may go with their photos: both of a pair,
-- or none. Answers {next, passages, photos}.
-- Called by remove_old.
create or replace function checkpost.remove_old_passages(term interval, kept_found interval, after jsonb, at timestamptz) returns jsonb
    language plpgsql set search_path = '' as $$
declare
    first record;
    last record;
    olds uuid[];
    partners uuid[];
    gone uuid[];
    photos bigint;
    since timestamptz := coalesce((after ->> 'at')::timestamptz, '-infinity');
    since_id uuid := coalesce((after ->> 'id')::uuid, '00000000-0000-0000-0000-000000000000');
begin
    select s.recorded_at as at, s.id into last from (select p.recorded_at, p.id from public.vehicle_passages p
            where p.recorded_at < remove_old_passages.at - term and (p.recorded_at, p.id) > (since, since_id)
            order by p.recorded_at, p.id limit 1000) s
        order by s.recorded_at desc, s.id desc limit 1;
    if last.id is null then return '{}'; end if;
    select p.recorded_at as at into first from public.vehicle_passages p
        where (p.recorded_at, p.id) > (since, since_id) order by p.recorded_at, p.id limit 1;
    -- Step by step: in one statement the planner would read the whole table for the last part.
    olds := array(select p.id from public.vehicle_passages p
        where p.recorded_at >= first.at and p.recorded_at <= last.at and (p.recorded_at, p.id) > (since, since_id)
            and (p.recorded_at, p.id) <= (last.at, last.id)
            and checkpost.is_passage_old(p, term, kept_found, remove_old_passages.at)
        for update skip locked);
    partners := array(select p.matched_passage_id from public.vehicle_passages p where p.id = any (olds) and p.matched_passage_id is not null);
    partners := array(select q.id from public.vehicle_passages q where q.id = any (partners) for update skip locked);
    partners := array(select q.id from public.vehicle_passages q
        where q.id = any (partners) and checkpost.is_passage_old(q, term, kept_found, remove_old_passages.at));
    gone := array(select p.id from public.vehicle_passages p
        where p.id = any (olds) and (p.matched_passage_id is null or p.matched_passage_id = any (partners))) || partners;
    gone := array(select distinct g from unnest(gone) g);
    delete from public.vehicle_passages p where p.id = any (gone);
    photos := checkpost.remove_photos(array(select g || ending from unnest(gone) g, unnest(array['.jpg', '.jpeg', '.png']) ending));
    return jsonb_build_object('next', jsonb_build_object('at', last.at, 'id', last.id), 'passages', cardinality(gone), 'photos', photos);
end
$$;

revoke all on function checkpost.remove_old_passages(interval, interval, jsonb, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
