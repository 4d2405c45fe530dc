-- A regular expression that finds a part of a plate also where characters that look alike were taken for each other: a set for each character
-- wanted. '1A' becomes '[1ILT79][A4]'. What is no letter or digit is left out; null where nothing is left. The box searches in the same way.
-- Called by find_passages and the gateway.
create or replace function checkpost.alike_pattern(part text) returns text
    language sql immutable strict parallel safe security definer set search_path = '' as $$
    select string_agg('[' || c.wanted || coalesce((select string_agg(o, '' order by o) from (
            select replace(a, c.wanted, '') as o from unnest(checkpost.alike_characters()) a where position(c.wanted in a) > 0) v), '')
        || ']', '' order by c.place)
    from regexp_split_to_table(regexp_replace(upper(left(part, 40)), '[^[:alnum:]]', '', 'g'), '') with ordinality c (wanted, place)
    where c.wanted <> ''
$$;

revoke all on function checkpost.alike_pattern(text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.alike_pattern(text) to authenticated, service_role;
