-- DELETE /auth/v1/admin/users/<id>, for the service role.
-- Called by the gateway and the command `user`.
create or replace function checkpost.admin_delete_user(account_id uuid) returns void
    language plpgsql security definer set search_path = '' as $$
begin
    delete from auth.users u where u.id = account_id;
    if not found then raise exception 'User not found' using errcode = 'PT404', detail = 'user_not_found'; end if;
end
$$;

revoke all on function checkpost.admin_delete_user(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.admin_delete_user(uuid) to service_role;
