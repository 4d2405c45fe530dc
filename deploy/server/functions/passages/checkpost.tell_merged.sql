-- Leaves the id of a row that took the place of an insert in the setting checkpost.merged, so that a gateway can return it: a trigger that
-- suppresses the insert has no other way to name the row. It holds for this transaction.
-- Called by merge_upload.
create or replace function checkpost.tell_merged(id uuid) returns void
    language sql volatile set search_path = '' as $$
    select set_config('checkpost.merged', concat_ws(',', nullif(current_setting('checkpost.merged', true), ''), id::text), true)
$$;

revoke all on function checkpost.tell_merged(uuid)
    from public, anon, authenticated, service_role, authenticator;
