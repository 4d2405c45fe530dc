-- Makes the next refresh token of a session and returns it; the table keeps its hash alone.
-- Called by begin_session and refresh_session.
create or replace function checkpost.new_refresh_token(account uuid, session uuid, lifetime interval) returns text
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

revoke all on function checkpost.new_refresh_token(uuid, uuid, interval)
    from public, anon, authenticated, service_role, authenticator;
