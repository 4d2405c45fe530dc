-- Whether two plates may be one that was misread: one character or syllable apart and alike there, or equal but for what could not be read.
-- Equal plates that were read in full are not alike but the same. The rule is the box's; Tests/Contract/look_alikes.json holds both to the
-- same cases. A passage's plate has Latin letters, digits and ? alone: on these the two never differ.
-- Called by alike_passages.
create or replace function checkpost.may_be_same(one text, other text) returns boolean
    language sql immutable strict parallel safe set search_path = '' as $$
    select case when checkpost.is_whole_plate(one) and checkpost.is_whole_plate(other)
        then checkpost.compact_plate(other) = any(checkpost.look_alike_variants(one))
        else checkpost.agree_around_gaps(checkpost.compact_plate(one), checkpost.compact_plate(other))
    end
$$;

revoke all on function checkpost.may_be_same(text, text)
    from public, anon, authenticated, service_role, authenticator;
