-- Changes a road's distance, limits and tolerance, now or from a moment on: {id, road, wanted, reason, effective_at?}. Answers 'changed' or
-- 'planned'; the same id again changes nothing. Posts take a change over with their next cycle. What is on record keeps the limits that it was
-- judged by. For admins.
-- Called by the gateway.
create or replace function checkpost.change_road(change jsonb) returns text
    language plpgsql security definer set search_path = '' as $$
declare
    road uuid := change ->> 'road';
    plan uuid := change ->> 'id';
    reason text := btrim(coalesce(change ->> 'reason', ''));
    effective timestamptz := change ->> 'effective_at';
    was public.highway_segments;
    becomes public.highway_segments;
begin
    if checkpost.is_client() and not checkpost.is_admin() then
        raise exception 'only an admin changes roads' using errcode = 'PT403';
    end if;
    if plan is null or road is null or reason = '' or length(reason) > 200 then
        raise exception 'id, road and a reason of 1 to 200 characters are needed' using errcode = 'PT422', detail = 'error_road_reason';
    end if;
    if effective > now() + interval '366 days' then
        raise exception 'a change is planned for a year at most' using errcode = 'PT422', detail = 'error_road_time';
    end if;
    -- One at a time for a road: the later one sees what the first one did.
    select s.* into was from public.highway_segments s where s.id = road for update;
    becomes := checkpost.road_with(road, change -> 'wanted');
    if exists (select from public.road_plans p where p.id = plan) then
        return case when effective > now() then 'planned' else 'changed' end;
    end if;
    if checkpost.road_facts(becomes) = checkpost.road_facts(was) then
        raise exception 'that is how the road is' using errcode = 'PT409', detail = 'error_road_same';
    end if;
    insert into public.road_plans (id, segment_id, road, effective_at, reason, planned_by, ended_at)
    values (plan, road,
        -- What changes, and no more: until then somebody may change another number. The limits of vehicle types are one value.
        (select jsonb_object_agg(f.key, f.value) from jsonb_each(checkpost.road_facts(becomes)) f
            where f.value is distinct from checkpost.road_facts(was) -> f.key),
        coalesce(effective, now()), reason,
        (select p.id from public.user_profiles p where p.id = auth.uid()), case when effective > now() then null else now() end);
    if effective > now() then
        perform checkpost.keep_road_change('planned', was,
            checkpost.road_facts(becomes) || jsonb_build_object('effective_at', effective), reason, auth.uid());
        return 'planned';
    end if;
    perform set_config('checkpost.reason', reason, true);
    perform checkpost.put_road(becomes);
    perform set_config('checkpost.reason', '', true);
    return 'changed';
end
$$;

revoke all on function checkpost.change_road(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.change_road(jsonb) to authenticated, service_role;
