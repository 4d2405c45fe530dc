-- The six digits of one step of 30 seconds since 1970 (RFC 6238 with HMAC-SHA-1).
-- Called by takes_code.
create or replace function checkpost.totp(secret bytea, step bigint) returns text
    language sql immutable set search_path = '' as $$
    select lpad(((((get_byte(h, o) & 127)::bigint << 24) + (get_byte(h, o + 1) << 16) + (get_byte(h, o + 2) << 8) + get_byte(h, o + 3))
        % 1000000)::text, 6, '0')
    from (select m as h, get_byte(m, 19) & 15 as o from (select extensions.hmac(int8send(step), secret, 'sha1') as m) x) y
$$;

revoke all on function checkpost.totp(bytea, bigint)
    from public, anon, authenticated, service_role, authenticator;
