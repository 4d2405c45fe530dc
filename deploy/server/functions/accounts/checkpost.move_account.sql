-- Moves a ranger's or a box's account to another post; from its next request it sees and records there. For admins; the trigger on_account_kept
-- keeps what was there before.
-- Called by the gateway.
create or replace function checkpost.move_account(account uuid, post uuid) returns void
    language plpgsql security definer set search_path = '' as $$
begin
    if checkpost.is_client() and not checkpost.is_admin() then
        raise exception 'only an admin moves accounts' using errcode = 'PT403';
    end if;
    perform from public.user_profiles p where p.id = account for update;
    if not found then raise exception 'there is no such account' using errcode = 'PT404'; end if;
    if exists (select from public.user_profiles p where p.id = account and p.role <> 'ranger') then
        raise exception 'only a ranger has a post' using errcode = 'PT409', detail = 'error_admin_post';
    end if;
    update public.user_profiles p set assigned_checkpost_id = c.id, assigned_park_id = s.park_id
        from public.checkposts c join public.highway_segments s on s.id = c.segment_id where p.id = account and c.id = post
            and c.stands_at is null;
    if not found then raise exception 'there is no such checkpost' using errcode = 'PT400'; end if;
end
$$;

revoke all on function checkpost.move_account(uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.move_account(uuid, uuid) to authenticated, service_role;
