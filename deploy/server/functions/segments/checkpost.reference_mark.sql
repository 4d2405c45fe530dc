-- A mark of what a post fetches now and then: its road and the others that meet there, its settings, its key for texts, and the lists.
-- It is another one as soon as any of it has changed. Null for who has no post, and while a row of it is not shown to readers yet: whoever
-- asked for it now would read less than the mark says.
-- Called by public.news.
create or replace function checkpost.reference_mark() returns text
    language sql volatile security definer set search_path = '' as $$
    with mine as (select checkpost.my_checkpost() as id),
    roads as (
        select distinct c.segment_id as id from public.checkposts c, mine m where c.id = m.id or c.stands_at = m.id
    )
    select md5(concat_ws('/',
        (select string_agg(s.id || ':' || s.server_seq, ' ' order by s.id)
            from public.highway_segments s join roads r on r.id = s.id),
        (select string_agg(c.id || ':' || c.server_seq, ' ' order by c.id)
            from public.checkposts c join roads r on r.id = c.segment_id),
        (select d.settings::text from public.device_settings d where d.checkpost_id = m.id),
        (select string_agg(k.number || ':' || k.made_at, ' ' order by k.number)
            from checkpost.text_keys k where k.checkpost_id = m.id and k.ended_at is null),
        (select count(*) || ':' || coalesce(sum(hashtext(l.id::text)), 0) from public.listed_plates l
            where l.ended_at is null and (l.segment_id is null or l.segment_id in (select r.id from roads r)))))
    from mine m where m.id is not null and greatest(
        (select max(s.server_seq) from public.highway_segments s join roads r on r.id = s.id),
        (select max(c.server_seq) from public.checkposts c join roads r on r.id = c.segment_id),
        (select d.server_seq from public.device_settings d where d.checkpost_id = m.id)
    ) <= checkpost.number_horizon(pg_current_snapshot())
$$;

revoke all on function checkpost.reference_mark()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.reference_mark() to authenticated, service_role;
