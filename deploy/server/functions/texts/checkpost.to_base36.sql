-- A whole number to the base 36, in digits and capital letters, no zero in front.
-- Called by ask_post.
create or replace function checkpost.to_base36(number bigint) returns text
    language sql immutable strict set search_path = '' as $$
    select coalesce(string_agg(substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', (number / power(36::numeric, i)::bigint % 36)::integer + 1, 1), '' order by i desc), '0')
    from generate_series(0, 11) i where number >= power(36::numeric, i)::bigint
$$;

revoke all on function checkpost.to_base36(bigint)
    from public, anon, authenticated, service_role, authenticator;
