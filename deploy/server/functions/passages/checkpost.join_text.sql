-- Takes back the row that a text made of a passage which has one: the vehicle passed once. The other post is told that the row is gone, and
-- whatever was matched with it is matched anew. No tombstone stays, since the text's id is the passage's own from now on.
-- Called by merge_upload.
create or replace function checkpost.join_text(passage public.vehicle_passages, doubled public.vehicle_passages) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    family uuid[] := checkpost.with_copies(doubled.id);
begin
    insert into public.passage_changes (id, client_id, checkpost_id, segment_id, kind, old_plate_number, reason, changed_at, old_passage,
        old_violation)
    values (gen_random_uuid(), doubled.client_id, doubled.checkpost_id, doubled.segment_id, 'withdrawn', doubled.plate_number,
        'its text told of a passage that was uploaded before', now(), to_jsonb(doubled),
        (select to_jsonb(v) from public.violations v where doubled.id in (v.entry_passage_id, v.exit_passage_id)));
    perform set_config('checkpost.reason', 'its text told of a passage that was uploaded before', true),
        set_config('checkpost.audited', doubled.id::text, true);
    perform checkpost.unlink_passage(p) from public.vehicle_passages p where p.id = any (family);
    delete from public.vehicle_passages where id = doubled.id;
    delete from public.deleted_passages where id = any (family);
    update public.vehicle_passages set sms_client_id = doubled.sms_client_id where id = passage.id and sms_client_id is null;
    perform set_config('checkpost.reason', '', true), set_config('checkpost.audited', '', true);
end
$$;

revoke all on function checkpost.join_text(public.vehicle_passages, public.vehicle_passages)
    from public, anon, authenticated, service_role, authenticator;
