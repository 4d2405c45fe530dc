-- How many characters must be put in, taken out or exchanged to make one text the other. Texts are plates: 40 characters count.
-- Called by match_candidates and may_be_plate.
create or replace function checkpost.edit_distance(one text, other text) returns integer
    language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
    a text[] := string_to_array(left(one, 40), null);
    b text[] := string_to_array(left(other, 40), null);
    line integer[] := array(select generate_series(1, cardinality(b)));
    diagonal integer;
    before integer;
    above integer;
begin
    if cardinality(a) = 0 or cardinality(b) = 0 then return greatest(cardinality(a), cardinality(b)); end if;
    for i in 1..cardinality(a) loop
        diagonal := i - 1;
        before := i;
        for j in 1..cardinality(b) loop
            above := line[j];
            before := least(above + 1, before + 1, diagonal + (a[i] <> b[j])::integer);
            diagonal := above;
            line[j] := before;
        end loop;
    end loop;
    return before;
end
$$;

revoke all on function checkpost.edit_distance(text, text)
    from public, anon, authenticated, service_role, authenticator;
