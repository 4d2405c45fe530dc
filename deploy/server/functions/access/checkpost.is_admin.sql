-- Whether the request is that of an active admin. A banned account is none, by whatever way it reaches the tables.
-- Called by add_road, ask_post, change_road, create_ranger, drop_road_plan, end_second_factor, end_session, move_account, on_passage_change,
-- on_passage_client, on_passage_deleted_before, on_passage_id, on_passage_insert, on_passage_stored, owns_photo, put_settings, put_text_key, road_if, set_account_active,
-- set_password, the gateway and policies.
create or replace function checkpost.is_admin() returns boolean
    language plpgsql stable security definer set search_path = '' as $$
begin
    return exists (select from public.user_profiles p join auth.users u on u.id = p.id
        where p.id = auth.uid() and p.is_active and p.role = 'admin' and coalesce(u.banned_until <= now(), true));
end
$$;

revoke all on function checkpost.is_admin()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.is_admin() to authenticated, service_role;
