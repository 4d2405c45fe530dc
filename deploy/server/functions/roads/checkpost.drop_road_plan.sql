-- Takes back a change of a road that has not taken effect yet. For admins.
-- Called by the gateway.
create or replace function checkpost.drop_road_plan(plan uuid) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    dropped public.road_plans;
    road public.highway_segments;
begin
    if checkpost.is_client() and not checkpost.is_admin() then
        raise exception 'only an admin changes roads' using errcode = 'PT403';
    end if;
    update public.road_plans p set ended_at = now() where p.id = plan and p.ended_at is null returning p.* into dropped;
    if not found then raise exception 'there is no such plan, or it has taken effect' using errcode = 'PT404'; end if;
    select s.* into road from public.highway_segments s where s.id = dropped.segment_id;
    perform checkpost.keep_road_change('dropped', road,
        checkpost.road_facts(road) || dropped.road || jsonb_build_object('effective_at', dropped.effective_at), dropped.reason, auth.uid());
end
$$;

revoke all on function checkpost.drop_road_plan(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.drop_road_plan(uuid) to authenticated, service_role;
