-- Pairs of characters that a camera or a tired eye takes for each other: those of Latin plates, and the Devanagari digits as the Latin ones
-- that they are written as. A test holds them to the alphabets of the box.
-- Called by alike_pattern and look_alike_variants.
create or replace function checkpost.alike_characters() returns text[]
    language sql immutable parallel safe
    return array['0O', '0Q', '0D', 'OQ', 'OD', '1I', '1L', 'IL', '2Z', '5S', '6G', '8B', '4A', '7T', 'UV', 'VY', 'MN', 'EF', 'CG', 'PR',
        'KX', '1T', '17', '3B', 'HM', 'WM', '45', '68', '19', '15', '23', '09', '59', '07'];

revoke all on function checkpost.alike_characters()
    from public, anon, authenticated, service_role, authenticator;
