-- Begins a session of an account that has proved who it is: {user, session_id, refresh_token}.
-- Called by sign_in and sign_in_second.
create or replace function checkpost.begin_session(account uuid, lifetime interval) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    known auth.users;
    session uuid := gen_random_uuid();
begin
    update auth.users u set last_sign_in_at = now() where u.id = account returning u.* into known;
    return jsonb_build_object('user', checkpost.user_json(known), 'session_id', session,
        'refresh_token', checkpost.new_refresh_token(account, session, lifetime));
end
$$;

revoke all on function checkpost.begin_session(uuid, interval)
    from public, anon, authenticated, service_role, authenticator;
