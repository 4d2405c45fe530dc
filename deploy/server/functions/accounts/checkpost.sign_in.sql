-- Returns {user, session_id, refresh_token} or {error, message}. An unknown account costs as much time as a known one.
-- Called by the gateway.
create or replace function checkpost.sign_in(email text, password text, lifetime interval) returns jsonb
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
        or sha256(convert_to(given, 'UTF8')) is distinct from sha256(convert_to(stored, 'UTF8')) then
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

revoke all on function checkpost.sign_in(text, text, interval)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.sign_in(text, text, interval) to authenticator;
