-- Makes an account of sign-in, without a profile.
-- Called by admin_create_user, create_ranger and the command `user`.
create or replace function checkpost.insert_user(email text, password text, phone text, app_metadata jsonb, user_metadata jsonb)
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
    perform checkpost.complete_account(account.id);
    return account;
end
$$;

revoke all on function checkpost.insert_user(text, text, text, jsonb, jsonb)
    from public, anon, authenticated, service_role, authenticator;
