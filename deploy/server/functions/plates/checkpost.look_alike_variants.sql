-- All compact plates without gaps that a plate may have been misread as: one character apart and alike there, or one syllable of its format.
-- BA1PA1234 has some forty, among them 8A1PA1234 and BA1PHA1234. They are looked up instead of compared with every plate there is. A plate
-- that was read in part has none: what it may be can't be listed.
-- Called by alike_passages and may_be_same.
create or replace function checkpost.look_alike_variants(plate text) returns text[]
    language sql immutable strict parallel safe set search_path = '' as $$
    with seen as (
        select checkpost.compact_plate(plate) as text where checkpost.is_whole_plate(plate)
    ), characters as (
        select left(c, 1) as one, right(c, 1) as other from unnest(checkpost.alike_characters()) c
        union all select right(c, 1), left(c, 1) from unnest(checkpost.alike_characters()) c
    ), syllables as (
        select split_part(s, ' ', 1) as one, split_part(s, ' ', 2) as other from unnest(checkpost.alike_syllables()) s
        union all select split_part(s, ' ', 2), split_part(s, ' ', 1) from unnest(checkpost.alike_syllables()) s
    )
    select coalesce(array_agg(v.text), '{}') from (
        select overlay(s.text placing c.other from i for 1) as text
        from seen s, generate_series(1, length(s.text)) i, characters c where c.one = substr(s.text, i, 1)
        union
        select changed.text
        from seen s, unnest(checkpost.syllabic_formats()) f (format), regexp_match(s.text, f.format) as m (fields),
            generate_subscripts(m.fields, 1) i, syllables y,
            array_to_string(m.fields[:i - 1] || y.other || m.fields[i + 1:], '') as changed (text)
        where y.one = m.fields[i] and changed.text ~ f.format
    ) v
$$;

revoke all on function checkpost.look_alike_variants(text)
    from public, anon, authenticated, service_role, authenticator;
