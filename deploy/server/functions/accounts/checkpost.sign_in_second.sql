-- The second step of a sign-in whose password was right a moment ago: {user, session_id, refresh_token} or {error, message}.
-- Called by the gateway.
create or replace function checkpost.sign_in_second(account uuid, code text, lifetime interval) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    known auth.users;
begin
    select u.* into known from auth.users u where u.id = account;
    if not found or checkpost.is_locked_out(known) then
        perform checkpost.keep_sign_in(known.email, known.id, 'locked_out');
        return jsonb_build_object('error', 'user_banned', 'message', 'The account is not active');
    end if;
    if not checkpost.takes_code(account, code) then
        perform checkpost.keep_sign_in(known.email, known.id, 'second_factor_refused');
        return jsonb_build_object('error', 'second_factor_refused', 'message', 'The code is wrong, was used before, or is too late');
    end if;
    perform checkpost.keep_sign_in(known.email, known.id, 'signed_in');
    return checkpost.begin_session(account, lifetime);
end
$$;

revoke all on function checkpost.sign_in_second(uuid, text, interval)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.sign_in_second(uuid, text, interval) to authenticator;
