-- Keeps what a passage was known by. One that a post withdrew is among them: its row is gone as well.
-- Called by the trigger y_gone of vehicle_passages.
create or replace function checkpost.on_passage_gone() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    insert into public.deleted_passages (id, client_id, sms_client_id, checkpost_id, segment_id, plate_number,
        recorded_at, deleted_by)
    values (old.id, old.client_id, old.sms_client_id, old.checkpost_id, old.segment_id, old.plate_number,
        old.recorded_at, auth.uid())
    on conflict (id) do update set client_id = excluded.client_id, sms_client_id = excluded.sms_client_id,
        deleted_at = now(), deleted_by = excluded.deleted_by;
    return null;
end
$$;

revoke all on function checkpost.on_passage_gone()
    from public, anon, authenticated, service_role, authenticator;
