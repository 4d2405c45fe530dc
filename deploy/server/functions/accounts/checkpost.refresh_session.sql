-- Exchanges a refresh token for the next one; the answer is that of sign_in. Each is good for one exchange. The token that was exchanged
-- last may be exchanged again within ten seconds: its answer was lost on the way, or two tabs of one client asked at once. An older one, or
-- one that comes later, is stolen goods and ends the session.
-- Called by the gateway.
create or replace function checkpost.refresh_session(token text, lifetime interval) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    held checkpost.refresh_tokens;
    account auth.users;
begin
    -- The row's lock puts simultaneous exchanges one after the other.
    select t.* into held from checkpost.refresh_tokens t
        where t.token_hash = sha256(convert_to(token, 'UTF8')) for update;
    if not found or held.expires_at < now() then
        return jsonb_build_object('error', 'refresh_token_not_found', 'message', 'Invalid Refresh Token');
    end if;
    if held.used_at is not null and (held.used_at < now() - interval '10 seconds' or exists (
        select from checkpost.refresh_tokens t
            where t.session_id = held.session_id and t.id > held.id and t.used_at is not null)) then
        delete from checkpost.refresh_tokens t where t.session_id = held.session_id;
        return jsonb_build_object('error', 'refresh_token_already_used', 'message',
            'Invalid Refresh Token: Already Used');
    end if;
    select u.* into account from auth.users u where u.id = held.user_id;
    if checkpost.is_locked_out(account) then
        return jsonb_build_object('error', 'user_banned', 'message', 'The account is not active');
    end if;
    update checkpost.refresh_tokens t set used_at = coalesce(t.used_at, now()) where t.id = held.id;
    return jsonb_build_object('user', checkpost.user_json(account), 'session_id', held.session_id,
        'refresh_token', checkpost.new_refresh_token(account.id, held.session_id, lifetime));
end
$$;

revoke all on function checkpost.refresh_session(text, interval)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.refresh_session(text, interval) to authenticator;
