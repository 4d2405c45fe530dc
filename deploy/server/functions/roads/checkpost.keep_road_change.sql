-- Keeps what became of a road, and why. `actor` is null for a program.
-- Called by change_road, drop_road_plan, make_road_plans and on_road_kept.
create or replace function checkpost.keep_road_change(
    kind text, was public.highway_segments, becomes jsonb, reason text, actor uuid) returns void
    language sql volatile security definer set search_path = '' as $$
    insert into public.road_changes (segment_id, name, kind, old_road, new_road, reason, changed_by)
    values (was.id, was.name, kind, checkpost.road_facts(was), becomes, reason,
        (select p.id from public.user_profiles p where p.id = actor))
$$;

revoke all on function checkpost.keep_road_change(text, public.highway_segments, jsonb, text, uuid)
    from public, anon, authenticated, service_role, authenticator;
