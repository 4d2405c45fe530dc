-- Makes a road with a post at each end: {id, name, distance_km, max_speed_kmh, min_speed_kmh, reason, ends: [{code, name} or {stands_at}, …]}.
-- An end that names a post by its code, `stands_at`, lies at that post: what it records counts on this road too. The same id again changes
-- nothing. Answers the road's id. For admins.
-- Called by the gateway.
create or replace function checkpost.add_road(road jsonb) returns uuid
    language plpgsql security definer set search_path = '' as $$
declare
    wanted uuid := road ->> 'id';
    reason text := btrim(coalesce(road ->> 'reason', ''));
    park uuid;
    post public.checkposts;
    place integer;
    ending jsonb;
begin
    if checkpost.is_client() and not checkpost.is_admin() then
        raise exception 'only an admin makes roads' using errcode = 'PT403';
    end if;
    if wanted is null or reason = '' or length(reason) > 200 then
        raise exception 'id and a reason of 1 to 200 characters are needed' using errcode = 'PT422', detail = 'error_road_reason';
    end if;
    if exists (select from public.highway_segments s where s.id = wanted) then return wanted; end if;
    if jsonb_array_length(road -> 'ends') is distinct from 2 or road #> '{ends,0}' = road #> '{ends,1}' then
        raise exception 'a road has two ends' using errcode = 'PT422', detail = 'error_road_ends';
    end if;
    -- The park of a post that is there, or the only one.
    select s.park_id into park from public.checkposts c join public.highway_segments s on s.id = c.segment_id
        where c.code in (road #>> '{ends,0,stands_at}', road #>> '{ends,1,stands_at}') order by c.code limit 1;
    if park is null then
        if (select count(*) from public.parks p where p.is_active) <> 1 then
            raise exception 'which park is meant can''t be told: let one end be a post that is there' using errcode = 'PT422',
                detail = 'error_road_park';
        end if;
        select p.id into park from public.parks p where p.is_active;
    end if;
    perform set_config('checkpost.reason', reason, true);
    begin
        insert into public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
        values (wanted, park, btrim(road ->> 'name'), (road ->> 'distance_km')::numeric, (road ->> 'max_speed_kmh')::numeric,
            (road ->> 'min_speed_kmh')::numeric);
    exception when numeric_value_out_of_range or invalid_text_representation then
        raise exception 'a number is too large, or none' using errcode = 'PT422', detail = 'error_road_number';
    when check_violation or not_null_violation then
        raise exception 'a road has a name of 1 to 200 characters' using errcode = 'PT422', detail = 'error_road_name';
    end;
    perform checkpost.road_with(wanted, road);
    for place in 0..1 loop
        ending := road -> 'ends' -> place;
        begin
            if ending ? 'stands_at' then
                select c.* into post from public.checkposts c where c.code = ending ->> 'stands_at' and c.stands_at is null;
                if not found then raise exception 'there is no such post' using errcode = 'PT422', detail = 'error_road_ends'; end if;
                insert into public.checkposts (segment_id, name, code, position_index, latitude, longitude, stands_at)
                values (wanted, post.name, (select f.code from (select left(post.code, 17) || '-' || n as code
                        from generate_series(2, 99) n) f
                    where not exists (select from public.checkposts c where c.code = f.code) limit 1),
                    place, post.latitude, post.longitude, post.id);
            else
                insert into public.checkposts (segment_id, name, code, position_index)
                values (wanted, btrim(ending ->> 'name'), btrim(ending ->> 'code'), place);
            end if;
        exception when unique_violation then
            raise exception 'the code is another post''s' using errcode = 'PT422', detail = 'error_road_taken';
        when check_violation or not_null_violation then
            raise exception 'a post has a name, and a code of 1 to 20 letters, digits, - and _' using errcode = 'PT422',
                detail = 'error_road_post', hint = sqlerrm;
        end;
    end loop;
    if exists (select from public.checkposts a join public.checkposts b on b.segment_id = a.segment_id and b.id <> a.id
            join public.checkposts c on c.segment_id = wanted join public.checkposts d on d.segment_id = wanted and d.id <> c.id
        where a.segment_id <> wanted and coalesce(a.stands_at, a.id) = coalesce(c.stands_at, c.id)
            and coalesce(b.stands_at, b.id) = coalesce(d.stands_at, d.id)) then
        raise exception 'there is a road between these posts: it is for both directions' using errcode = 'PT422', detail = 'error_road_twice';
    end if;
    -- What the posts said of their reviews holds here too.
    insert into public.post_reviews (checkpost_id, as_of, waiting, complete_up_to)
    select c.id, r.as_of, r.waiting, r.complete_up_to from public.checkposts c join public.post_reviews r on r.checkpost_id = c.stands_at
    where c.segment_id = wanted;
    perform set_config('checkpost.reason', '', true);
    return wanted;
end
$$;

revoke all on function checkpost.add_road(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.add_road(jsonb) to authenticated, service_role;
