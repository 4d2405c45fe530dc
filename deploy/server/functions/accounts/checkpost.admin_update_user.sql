-- PUT /auth/v1/admin/users/<id>, for the service role. Fields that are missing from `fields` keep their value.
-- Called by the gateway, set_password and the command `user`.
create or replace function checkpost.admin_update_user(account_id uuid, fields jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    account auth.users;
begin
    if fields ? 'password' then perform checkpost.check_password(fields ->> 'password'); end if;
    update auth.users u set
        email = coalesce(lower(fields ->> 'email'), u.email),
        phone = coalesce(fields ->> 'phone', u.phone),
        encrypted_password = case when fields ? 'password'
            then extensions.crypt(fields ->> 'password', extensions.gen_salt('bf', 10)) else u.encrypted_password end,
        raw_app_meta_data = u.raw_app_meta_data || checkpost.object_or_empty(fields -> 'app_metadata'),
        raw_user_meta_data = u.raw_user_meta_data || checkpost.object_or_empty(fields -> 'user_metadata'),
        banned_until = case when not fields ? 'ban_duration' then u.banned_until
            when fields ->> 'ban_duration' = 'none' then null
            else now() + (fields ->> 'ban_duration')::interval end,
        updated_at = now()
        where u.id = account_id returning u.* into account;
    if not found then raise exception 'User not found' using errcode = 'PT404', detail = 'user_not_found'; end if;
    -- A new password ends what was signed in with the old one.
    if fields ? 'password' then delete from checkpost.refresh_tokens t where t.user_id = account_id; end if;
    return checkpost.user_json(account);
exception when unique_violation then
    raise exception 'A user with this email address has already been registered'
        using errcode = 'PT422', detail = 'email_exists';
end
$$;

revoke all on function checkpost.admin_update_user(uuid, jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.admin_update_user(uuid, jsonb) to service_role;
