-- Looks at the next thousand passages after a place, {at, id}, whose term is over, and removes those that may go with their photos: both of a pair,
-- or none. Answers {next, passages, photos}.
-- Called by remove_old.
create or replace function checkpost.remove_old_passages(term interval, after jsonb, at timestamptz) returns jsonb
    language plpgsql set search_path = '' as $$
declare
    last record;
    gone uuid[];
    photos bigint;
    since timestamptz := coalesce((after ->> 'at')::timestamptz, '-infinity');
    since_id uuid := coalesce((after ->> 'id')::uuid, '00000000-0000-0000-0000-000000000000');
begin
    select s.recorded_at as at, s.id into last from (select p.recorded_at, p.id from public.vehicle_passages p
            where p.recorded_at < remove_old_passages.at - term and (p.recorded_at, p.id) > (since, since_id)
            order by p.recorded_at, p.id limit 1000) s
        order by s.recorded_at desc, s.id desc limit 1;
    if not found then return '{}'; end if;
    with old as (
        select p.id, p.matched_passage_id from public.vehicle_passages p
        where (p.recorded_at, p.id) > (since, since_id) and (p.recorded_at, p.id) <= (last.at, last.id)
            and checkpost.is_passage_old(p, term, remove_old_passages.at)
        for update skip locked
    ), partners as (
        select q.id from old o join public.vehicle_passages q on q.id = o.matched_passage_id
        where checkpost.is_passage_old(q, term, remove_old_passages.at)
        for update of q skip locked
    ), removed as (
        delete from public.vehicle_passages p where p.id in (
            select o.id from old o where o.matched_passage_id is null or o.matched_passage_id in (select q.id from partners q)
            union select q.id from partners q)
        returning p.id
    )
    select coalesce(array_agg(r.id), '{}') into gone from removed r;
    photos := checkpost.remove_photos(array(select g || ending from unnest(gone) g, unnest(array['.jpg', '.jpeg', '.png']) ending));
    return jsonb_build_object('next', jsonb_build_object('at', last.at, 'id', last.id), 'passages', cardinality(gone), 'photos', photos);
end
$$;

revoke all on function checkpost.remove_old_passages(interval, jsonb, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
