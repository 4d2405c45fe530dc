-- GET /auth/v1/admin/users/<id>, for the service role.
-- Called by the gateway.
create or replace function checkpost.admin_get_user(account_id uuid) returns jsonb
    language plpgsql stable security definer set search_path = '' as $$
declare
    account auth.users;
begin
    select u.* into account from auth.users u where u.id = account_id;
    if not found then raise exception 'User not found' using errcode = 'PT404', detail = 'user_not_found'; end if;
    return checkpost.user_json(account);
end
$$;

revoke all on function checkpost.admin_get_user(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.admin_get_user(uuid) to service_role;
