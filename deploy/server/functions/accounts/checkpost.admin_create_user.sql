-- POST /auth/v1/admin/users, for the service role.
-- Called by the gateway.
create or replace function checkpost.admin_create_user(fields jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
begin
    return checkpost.user_json(checkpost.insert_user(fields ->> 'email', fields ->> 'password', fields ->> 'phone',
        fields -> 'app_metadata', fields -> 'user_metadata'));
exception when unique_violation then
    raise exception 'A user with this email address has already been registered'
        using errcode = 'PT422', detail = 'email_exists';
end
$$;

revoke all on function checkpost.admin_create_user(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.admin_create_user(jsonb) to service_role;
