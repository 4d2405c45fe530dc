-- Keeps each road as it was and as it became, whoever changed it by whatever way.
-- Called by the trigger z_kept of highway_segments.
create or replace function checkpost.on_road_kept() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    was jsonb := case when tg_op <> 'INSERT' then checkpost.road_facts(old) end;
    becomes jsonb := case when tg_op <> 'DELETE' then checkpost.road_facts(new) end;
    -- A plan is made by a round, for whoever planned it.
    actor uuid := coalesce(nullif(current_setting('checkpost.actor', true), '')::uuid, auth.uid());
begin
    if was = becomes then return null; end if;
    insert into public.road_changes (segment_id, name, kind, old_road, new_road, reason, changed_by)
    values (coalesce(new.id, old.id), coalesce(becomes, was) ->> 'name',
        case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'removed' end, was, becomes,
        checkpost.change_reason(), (select p.id from public.user_profiles p where p.id = actor));
    return null;
end
$$;

revoke all on function checkpost.on_road_kept()
    from public, anon, authenticated, service_role, authenticator;
