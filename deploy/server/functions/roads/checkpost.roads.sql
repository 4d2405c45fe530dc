-- The roads that are in use, with their posts and what is planned: [{id, name, park, numbers, posts: [{code, name, latitude, longitude,
-- stands_at}], plans: [{id, numbers, effective_at, reason, by}]}], by park and name. Times are microseconds since 1970. Everybody signed in reads roads and
-- posts; plans are read with the caller's own rights.
-- Called by the gateway.
create or replace function checkpost.roads() returns jsonb
    language sql stable security definer set search_path = '' as $$
    select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'park', k.name, 'numbers', checkpost.road_numbers(s),
        'posts', (select coalesce(jsonb_agg(jsonb_build_object('code', c.code, 'name', c.name, 'latitude', c.latitude,
                'longitude', c.longitude,
                'stands_at', (select o.code from public.checkposts o where o.id = c.stands_at)) order by c.position_index), '[]')
            from public.checkposts c where c.segment_id = s.id and c.is_active),
        'plans', (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'reason', p.reason, 'by', u.full_name,
                'numbers', checkpost.road_numbers(jsonb_populate_record(s, p.road)),
                'effective_at', (extract(epoch from p.effective_at) * 1000000)::bigint) order by p.effective_at, p.id), '[]')
            from public.road_plans p left join public.user_profiles u on u.id = p.planned_by
            where p.segment_id = s.id and p.ended_at is null
                and (not checkpost.is_client() or checkpost.reads_all() or s.id = checkpost.my_segment()))
        ) order by k.name, s.name, s.id), '[]')
    from public.highway_segments s join public.parks k on k.id = s.park_id
    where s.id in (select o.id from public.highway_segments o where o.is_active order by o.name, o.id limit 500)
        and (not checkpost.is_client() or checkpost.is_signed_in())
$$;

revoke all on function checkpost.roads()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.roads() to authenticated, service_role;
