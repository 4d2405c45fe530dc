-- Returns {user, session_id, refresh_token} or {error, message}; where the account has a second factor and the password was right, {error:
-- 'second_factor_needed', account, message}: sign_in_second goes on. An unknown account costs as much time as a known one.
-- Called by the gateway.
create or replace function checkpost.sign_in(email text, password text, lifetime interval) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    account auth.users;
    -- The hash of a random password that nobody kept.
    stored text := '$2a$10$WET4SKcysrYWkCMWd1K02uGHPi7EukWcAVquNjCn/3PDQSCZ04ngG';
    given text;
begin
    select u.* into account from auth.users u where u.email = lower(sign_in.email);
    if found then stored := account.encrypted_password; end if;
    given := extensions.crypt(left(password, 200), stored);
    -- Hashes of the hashes: how long the comparison takes says nothing about how much of them agrees.
    if account.id is null or octet_length(password) > 72
        or sha256(convert_to(given, 'UTF8')) is distinct from sha256(convert_to(stored, 'UTF8')) then
        perform checkpost.keep_sign_in(sign_in.email, account.id, 'refused');
        return jsonb_build_object('error', 'invalid_credentials', 'message', 'Invalid login credentials');
    end if;
    if checkpost.is_locked_out(account) then
        perform checkpost.keep_sign_in(account.email, account.id, 'locked_out');
        return jsonb_build_object('error', 'user_banned', 'message', 'The account is not active');
    end if;
    perform from checkpost.second_factors f where f.user_id = account.id and f.confirmed_at is not null;
    if found then
        return jsonb_build_object('error', 'second_factor_needed', 'account', account.id,
            'message', 'The account has a second factor: give its code, too');
    end if;
    perform checkpost.keep_sign_in(account.email, account.id, 'signed_in');
    return checkpost.begin_session(account.id, lifetime);
end
$$;

revoke all on function checkpost.sign_in(text, text, interval)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.sign_in(text, text, interval) to authenticator;
