-- The function `create-ranger`: account and profile in one transaction, for admins.
-- Called by public.create_ranger.
create or replace function checkpost.create_ranger(fields jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    username text := lower(fields ->> 'username');
    post uuid;
    park uuid;
    account auth.users;
begin
    if checkpost.is_client() and not checkpost.is_admin() then
        raise exception 'only an admin creates rangers' using errcode = 'PT403';
    end if;
    if jsonb_typeof(fields) <> 'object' or exists (
        select from jsonb_each(fields) f where jsonb_typeof(f.value) not in ('string', 'null')) then
        raise exception 'the fields are texts in one object' using errcode = 'PT400';
    end if;
    if coalesce(username, '') !~ '^[a-z0-9][a-z0-9._-]{1,31}$' then
        raise exception 'a username has 2 to 32 letters, digits, dots, hyphens or underscores' using errcode = 'PT400';
    end if;
    perform checkpost.check_password(fields ->> 'password');
    if length(btrim(coalesce(fields ->> 'full_name', ''))) not between 1 and 200 then
        raise exception 'full_name is needed' using errcode = 'PT400';
    end if;
    if coalesce(fields ->> 'phone_number', '') <> '' and checkpost.account_phone(fields ->> 'phone_number') is null then
        raise exception 'phone_number is not a telephone number with its country, such as +9779841230000'
            using errcode = 'PT400';
    end if;
    select c.id, s.park_id into post, park
        from public.checkposts c join public.highway_segments s on s.id = c.segment_id
        where c.id::text = lower(fields ->> 'assigned_checkpost_id') and c.stands_at is null;
    if post is null then
        raise exception 'assigned_checkpost_id names no checkpost' using errcode = 'PT400';
    end if;
    if park::text is distinct from lower(fields ->> 'assigned_park_id') then
        raise exception 'assigned_park_id is not the park of that checkpost' using errcode = 'PT400';
    end if;
    account := checkpost.insert_user(username || '@' || coalesce((select s.value #>> '{}' from public.server_settings s
        where s.key = 'rangers.email_domain'), 'bnp.local'), fields ->> 'password', null, null,
        jsonb_build_object('username', username));
    insert into public.user_profiles (id, full_name, role, phone_number, assigned_checkpost_id, assigned_park_id)
    values (account.id, btrim(fields ->> 'full_name'), 'ranger', checkpost.account_phone(fields ->> 'phone_number'), post, park);
    return jsonb_build_object('user', jsonb_build_object('id', account.id, 'role', 'ranger', 'email', account.email));
exception when unique_violation then
    raise exception 'the username is taken' using errcode = 'PT400';
end
$$;

revoke all on function checkpost.create_ranger(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.create_ranger(jsonb) to authenticated, service_role;
