-- Makes the changes of roads whose time has come, in their order; returns how many. One that can't be made any more, since the road has changed
-- meanwhile, ends as failed, and stands so under the changes.
-- Called by check_overstay.
create or replace function checkpost.make_road_plans(at timestamptz) returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    plan public.road_plans;
    road public.highway_segments;
    made integer := 0;
begin
    for plan in select p.* from public.road_plans p where p.ended_at is null and p.effective_at <= at
        order by p.effective_at, p.planned_at, p.id limit 100 for update skip locked
    loop
        select s.* into road from public.highway_segments s where s.id = plan.segment_id for update;
        begin
            perform set_config('checkpost.reason', plan.reason, true), set_config('checkpost.actor', coalesce(plan.planned_by::text, ''), true);
            perform checkpost.put_road(checkpost.road_with(plan.segment_id, plan.road));
            made := made + 1;
        exception when others then
            perform checkpost.keep_road_change('failed', road, checkpost.road_facts(road) || plan.road, plan.reason, plan.planned_by);
        end;
        update public.road_plans p set ended_at = at where p.id = plan.id;
    end loop;
    perform set_config('checkpost.reason', '', true), set_config('checkpost.actor', '', true);
    return made;
end
$$;

revoke all on function checkpost.make_road_plans(timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
