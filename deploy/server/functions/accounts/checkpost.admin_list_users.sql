-- GET /auth/v1/admin/users, for the service role: the accounts in the order in which they were made, at most 1,000 a page.
-- Called by the gateway.
create or replace function checkpost.admin_list_users(page integer, per_page integer) returns jsonb
    language sql stable security definer set search_path = '' as $$
    select jsonb_build_object('aud', 'authenticated', 'users', coalesce(jsonb_agg(checkpost.user_json(u)), '[]'))
    from (select * from auth.users a order by a.created_at, a.id
        limit least(greatest(per_page, 1), 1000)
        offset (greatest(page, 1) - 1)::bigint * least(greatest(per_page, 1), 1000)) l
        join auth.users u on u.id = l.id
$$;

revoke all on function checkpost.admin_list_users(integer, integer)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.admin_list_users(integer, integer) to service_role;
