-- Accounts and sessions, for the gateway. A Supabase project has its own sign-in; there only create_ranger is of use.

-- Refresh tokens are kept as hashes. Each is good for one exchange; a token used a second time was copied, so
-- every token that descends from the same sign-in is dropped.
create table checkpost.refresh_tokens (
    id bigint generated always as identity primary key,
    user_id uuid not null references auth.users on delete cascade,
    session_id uuid not null,
    token_hash bytea not null unique,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz
);
create index refresh_tokens_user on checkpost.refresh_tokens (user_id);
create index refresh_tokens_session on checkpost.refresh_tokens (session_id);

create function checkpost.user_json(account auth.users) returns jsonb
    language sql stable set search_path = '' as $$
    select jsonb_build_object('id', account.id, 'aud', account.aud, 'role', account.role, 'email', account.email,
        'phone', coalesce(account.phone, ''), 'email_confirmed_at', account.email_confirmed_at,
        'confirmed_at', account.email_confirmed_at, 'last_sign_in_at', account.last_sign_in_at,
        'app_metadata', account.raw_app_meta_data, 'user_metadata', account.raw_user_meta_data,
        'identities', '[]'::jsonb, 'is_anonymous', false,
        'created_at', account.created_at, 'updated_at', account.updated_at)
$$;

create function checkpost.is_locked_out(account auth.users) returns boolean
    language sql stable set search_path = '' as $$
    select coalesce(account.banned_until > now(), false)
        or exists (select from public.user_profiles p where p.id = account.id and not p.is_active)
$$;

create function checkpost.new_refresh_token(account uuid, session uuid, lifetime interval) returns text
    language plpgsql set search_path = '' as $$
declare
    token text := translate(encode(extensions.gen_random_bytes(32), 'base64'), '+/=', '-_');
begin
    insert into checkpost.refresh_tokens (user_id, session_id, token_hash, expires_at)
    values (account, session, sha256(convert_to(token, 'UTF8')), now() + lifetime);
    -- Bounded: what expired, and all but the newest hundred of one account.
    delete from checkpost.refresh_tokens t where t.user_id = account and (t.expires_at < now() or t.id not in (
        select n.id from checkpost.refresh_tokens n where n.user_id = account order by n.id desc limit 100));
    return token;
end
$$;

-- Returns {user, session_id, refresh_token} or {error, message}. An unknown account costs as much time as a known one.
create function checkpost.sign_in(email text, password text, lifetime interval) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    account auth.users;
    -- The hash of a random password that nobody kept.
    stored text := '$2a$10$WET4SKcysrYWkCMWd1K02uGHPi7EukWcAVquNjCn/3PDQSCZ04ngG';
    given text;
    session uuid := gen_random_uuid();
begin
    select u.* into account from auth.users u where u.email = lower(sign_in.email);
    if found then stored := account.encrypted_password; end if;
    given := extensions.crypt(left(password, 200), stored);
    -- Hashes of the hashes: how long the comparison takes says nothing about how much of them agrees.
    if account.id is null or octet_length(password) > 72
        or sha256(convert_to(given, 'UTF8')) <> sha256(convert_to(stored, 'UTF8')) then
        return jsonb_build_object('error', 'invalid_credentials', 'message', 'Invalid login credentials');
    end if;
    if checkpost.is_locked_out(account) then
        return jsonb_build_object('error', 'user_banned', 'message', 'The account is not active');
    end if;
    update auth.users u set last_sign_in_at = now() where u.id = account.id returning u.* into account;
    return jsonb_build_object('user', checkpost.user_json(account), 'session_id', session,
        'refresh_token', checkpost.new_refresh_token(account.id, session, lifetime));
end
$$;

-- Exchanges a refresh token for the next one; the answer is that of sign_in.
create function checkpost.refresh_session(token text, lifetime interval) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    held checkpost.refresh_tokens;
    account auth.users;
begin
    -- The row's lock lets one of two simultaneous exchanges win.
    select t.* into held from checkpost.refresh_tokens t
        where t.token_hash = sha256(convert_to(token, 'UTF8')) for update;
    if not found or held.expires_at < now() then
        return jsonb_build_object('error', 'refresh_token_not_found', 'message', 'Invalid Refresh Token');
    end if;
    if held.used_at is not null then
        delete from checkpost.refresh_tokens t where t.session_id = held.session_id;
        return jsonb_build_object('error', 'refresh_token_already_used', 'message',
            'Invalid Refresh Token: Already Used');
    end if;
    select u.* into account from auth.users u where u.id = held.user_id;
    if checkpost.is_locked_out(account) then
        return jsonb_build_object('error', 'user_banned', 'message', 'The account is not active');
    end if;
    update checkpost.refresh_tokens t set used_at = now() where t.id = held.id;
    return jsonb_build_object('user', checkpost.user_json(account), 'session_id', held.session_id,
        'refresh_token', checkpost.new_refresh_token(account.id, held.session_id, lifetime));
end
$$;

-- Ends sessions of the signed-in user: 'local' this one, 'others' all but this one, 'global' all.
create function checkpost.sign_out(scope text) returns void
    language sql security definer set search_path = '' as $$
    delete from checkpost.refresh_tokens t where t.user_id = auth.uid() and case scope
        when 'local' then t.session_id::text = auth.jwt() ->> 'session_id'
        when 'others' then t.session_id::text is distinct from auth.jwt() ->> 'session_id'
        else true end
$$;

-- The signed-in user; null when the account is gone or not active.
create function checkpost.current_user_json() returns jsonb
    language sql stable security definer set search_path = '' as $$
    select checkpost.user_json(u) from auth.users u where u.id = auth.uid() and not checkpost.is_locked_out(u)
$$;

create function checkpost.check_password(password text) returns void
    language plpgsql immutable set search_path = '' as $$
begin
    -- bcrypt reads 72 bytes and ignores the rest.
    if password is null or length(password) < 8 or octet_length(password) > 72 then
        raise exception 'a password has 8 characters at least and 72 bytes at most' using errcode = 'PT400';
    end if;
end
$$;

create function checkpost.object_or_empty(value jsonb) returns jsonb
    language sql immutable set search_path = '' as
    $$ select case when jsonb_typeof(value) = 'object' then value else '{}' end $$;

create function checkpost.insert_user(email text, password text, phone text, app_metadata jsonb, user_metadata jsonb)
    returns auth.users language plpgsql security definer set search_path = '' as $$
declare
    account auth.users;
begin
    perform checkpost.check_password(password);
    if coalesce(email, '') !~ '^[^\s@]{1,64}@[^\s@]{1,189}$' then
        raise exception 'an e-mail address is needed' using errcode = 'PT400';
    end if;
    insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, phone, raw_app_meta_data,
        raw_user_meta_data, created_at, updated_at)
    values (gen_random_uuid(), 'authenticated', 'authenticated', lower(email),
        extensions.crypt(password, extensions.gen_salt('bf', 10)), now(), phone,
        checkpost.object_or_empty(app_metadata) || '{"provider": "email", "providers": ["email"]}',
        checkpost.object_or_empty(user_metadata), now(), now())
    returning * into account;
    return account;
end
$$;

-- /auth/v1/admin/users, for the service role. Fields that are missing from `fields` keep their value.
create function checkpost.admin_create_user(fields jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
begin
    return checkpost.user_json(checkpost.insert_user(fields ->> 'email', fields ->> 'password', fields ->> 'phone',
        fields -> 'app_metadata', fields -> 'user_metadata'));
exception when unique_violation then
    raise exception 'A user with this email address has already been registered'
        using errcode = 'PT422', detail = 'email_exists';
end
$$;

create function checkpost.admin_update_user(account_id uuid, fields jsonb) returns jsonb
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

create function checkpost.admin_get_user(account_id uuid) returns jsonb
    language plpgsql stable security definer set search_path = '' as $$
declare
    account auth.users;
begin
    select u.* into account from auth.users u where u.id = account_id;
    if not found then raise exception 'User not found' using errcode = 'PT404', detail = 'user_not_found'; end if;
    return checkpost.user_json(account);
end
$$;

create function checkpost.admin_delete_user(account_id uuid) returns void
    language plpgsql security definer set search_path = '' as $$
begin
    -- Before any row is locked, as in every writer: the passages of the user are changed as well.
    perform checkpost.lock_writes();
    delete from auth.users u where u.id = account_id;
    if not found then raise exception 'User not found' using errcode = 'PT404', detail = 'user_not_found'; end if;
end
$$;

create function checkpost.admin_list_users(page integer, per_page integer) returns jsonb
    language sql stable security definer set search_path = '' as $$
    select jsonb_build_object('aud', 'authenticated', 'users', coalesce(jsonb_agg(checkpost.user_json(u)), '[]'))
    from (select * from auth.users a order by a.created_at, a.id
        limit least(greatest(per_page, 1), 1000)
        offset (greatest(page, 1) - 1)::bigint * least(greatest(per_page, 1), 1000)) l
        join auth.users u on u.id = l.id
$$;

-- The function `create-ranger`: account and profile in one transaction, for admins.
create function checkpost.create_ranger(fields jsonb) returns jsonb
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
    if coalesce(fields ->> 'phone_number', '') !~ '^(\+?[0-9 -]{4,19})?$' then
        raise exception 'phone_number is not a telephone number' using errcode = 'PT400';
    end if;
    select c.id, s.park_id into post, park
        from public.checkposts c join public.highway_segments s on s.id = c.segment_id
        where c.id::text = lower(fields ->> 'assigned_checkpost_id');
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
    values (account.id, btrim(fields ->> 'full_name'), 'ranger', nullif(fields ->> 'phone_number', ''), post, park);
    return jsonb_build_object('user', jsonb_build_object('id', account.id, 'role', 'ranger', 'email', account.email));
exception when unique_violation then
    raise exception 'the username is taken' using errcode = 'PT400';
end
$$;
