-- Pairs of Devanagari syllables that painters draw almost alike, in Latin, with a space between the two. A test holds them to the alphabet of
-- the box.
-- Called by look_alike_variants.
create or replace function checkpost.alike_syllables() returns text[]
    language sql immutable parallel safe
    return array['PA PHA', 'PA YA', 'THA YA', 'KA PHA', 'BA KA', 'BHE ME', 'ME SE', 'BHE SE', 'SA MA', 'RA SA', 'GA MA'];

revoke all on function checkpost.alike_syllables()
    from public, anon, authenticated, service_role, authenticator;
