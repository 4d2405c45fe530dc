-- Keeps what a passage was known by, and the whole of what a person deleted. One that a post withdrew is among them: its row is gone as well.
-- Called by the trigger y_gone of vehicle_passages.
create or replace function checkpost.on_passage_gone() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if checkpost.is_removal() then return null; end if;
    insert into public.deleted_passages (id, client_id, sms_client_id, checkpost_id, segment_id, plate_number,
        recorded_at, deleted_by)
    values (old.id, old.client_id, old.sms_client_id, old.checkpost_id, old.segment_id, old.plate_number,
        old.recorded_at, auth.uid())
    on conflict (id) do update set client_id = excluded.client_id, sms_client_id = excluded.sms_client_id,
        deleted_at = now(), deleted_by = excluded.deleted_by;
    -- A withdrawal has written its own row, with the reason that was given.
    if coalesce(current_setting('checkpost.audited', true), '') <> old.id::text then
        insert into public.passage_changes (id, client_id, checkpost_id, segment_id, kind, old_plate_number, reason, acted_by, changed_by,
            changed_at, old_passage)
        select gen_random_uuid(), old.client_id, old.checkpost_id, old.segment_id, 'deleted', old.plate_number, checkpost.change_reason(),
            left(u.full_name, 200), u.id, now(), to_jsonb(old)
        from (select auth.uid() as id) caller left join public.user_profiles u on u.id = caller.id;
    end if;
    return null;
end
$$;

revoke all on function checkpost.on_passage_gone()
    from public, anon, authenticated, service_role, authenticator;
