-- A passage that a person with an admin's or the service's rights stored by hand has no camera and no post behind it: who did it is kept.
-- Called by the trigger z_stored of vehicle_passages.
create or replace function checkpost.on_passage_stored() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if checkpost.is_client() then
        if not checkpost.is_admin() then return null; end if;
    elsif coalesce(current_setting('role', true), 'none') <> 'service_role' or new.source = 'sms' then
        return null;
    end if;
    insert into public.passage_changes (id, client_id, passage_id, checkpost_id, segment_id, kind, old_plate_number, reason, acted_by,
        changed_by, changed_at, new_passage)
    select gen_random_uuid(), new.client_id, new.id, new.checkpost_id, new.segment_id, 'stored', new.plate_number,
        checkpost.change_reason(), left(u.full_name, 200), u.id, now(), to_jsonb(new)
    from (select auth.uid() as id) caller left join public.user_profiles u on u.id = caller.id;
    return null;
end
$$;

revoke all on function checkpost.on_passage_stored()
    from public, anon, authenticated, service_role, authenticator;
