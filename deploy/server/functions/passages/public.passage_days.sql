-- What a post compares with its own disk. Of each day (UTC) since `since`: how many passages of a post the server has, and a hash over
-- them. The hash is the MD5 of `<client_id> <compact plate>` of each passage, in the order of client_id, with commas between. It runs with
-- the caller's rights. At most a year is looked at.
-- Called by clients.
create or replace function public.passage_days(post uuid, since date)
    returns table (day date, passages bigint, hash text)
    language sql stable set search_path = '' as $$
    select (p.recorded_at at time zone 'UTC')::date as day, count(*) as passages,
        md5(string_agg(p.client_id::text || ' ' || checkpost.compact_plate(p.plate_number), ',' order by p.client_id)) as hash
    from public.vehicle_passages p
    where p.checkpost_id = post
        and p.recorded_at >= greatest(since, (now() at time zone 'UTC')::date - 366)::timestamp at time zone 'UTC'
    group by 1 order by 1
$$;

revoke all on function public.passage_days(uuid, date)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.passage_days(uuid, date) to authenticated, service_role;
