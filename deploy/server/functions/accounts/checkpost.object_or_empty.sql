-- A JSON object as it is; anything else as an empty one.
-- Called by admin_update_user and insert_user.
create or replace function checkpost.object_or_empty(value jsonb) returns jsonb
    language sql immutable set search_path = '' as
    $$ select case when jsonb_typeof(value) = 'object' then value else '{}' end $$;

revoke all on function checkpost.object_or_empty(jsonb)
    from public, anon, authenticated, service_role, authenticator;
