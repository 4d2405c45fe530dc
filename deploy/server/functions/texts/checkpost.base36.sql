-- A number to the base 36, in digits and capital letters. Nothing is 0.
-- Called by record_answer, record_signed_sms and signed_passages.
create or replace function checkpost.base36(digits text) returns bigint
    language sql immutable strict set search_path = '' as $$
    select coalesce(sum((position(substr(digits, i, 1) in '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ') - 1)
        * (36::numeric ^ (length(digits) - i))), 0)::bigint
    from generate_series(1, length(digits)) i
$$;

revoke all on function checkpost.base36(text)
    from public, anon, authenticated, service_role, authenticator;
