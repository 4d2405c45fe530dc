-- Whether two compact plates are equal but for what could not be read. A gap (?) stands for one to three characters, as a syllable does; at
-- least half must have been read in both. BA1PA12?4 agrees with BA1PA1234, ?1PA1234 with BHE1PA1234; ???????? with nothing.
-- Called by may_be_same.
create or replace function checkpost.agree_around_gaps(one text, other text) returns boolean
    language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
    a text[] := string_to_array(one, null);
    b text[] := string_to_array(other, null);
    -- How much of one is read with how much of the other, as 32 times the one and the other.
    states integer[] := array[0];
    at integer := 0;
    i integer;
    j integer;
begin
    if length(one) > 20 or 2 * cardinality(array_positions(a, '?')) > length(one) or length(other) > 20
        or 2 * cardinality(array_positions(b, '?')) > length(other) then
        return false;
    end if;
    while at < cardinality(states) loop
        at := at + 1;
        i := states[at] / 32 + 1;
        j := states[at] % 32 + 1;
        if i > cardinality(a) and j > cardinality(b) then return true; end if;
        continue when i > cardinality(a) or j > cardinality(b);
        states := states || array(
            select n from (
                select i * 32 + j where a[i] = b[j] and a[i] <> '?'
                union select i * 32 + j - 1 + k from generate_series(1, least(3, cardinality(b) - j + 1)) k where a[i] = '?'
                union select (i - 1 + k) * 32 + j from generate_series(1, least(3, cardinality(a) - i + 1)) k where b[j] = '?') s (n)
            where n <> all(states));
    end loop;
    return false;
end
$$;

revoke all on function checkpost.agree_around_gaps(text, text)
    from public, anon, authenticated, service_role, authenticator;
