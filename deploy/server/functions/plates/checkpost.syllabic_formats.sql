-- The formats of plates whose fields are Devanagari syllables (Nepal's by zone and by province), each as a pattern of the compact plate with a
-- group for each field. A plate fits one in one way only: a number stands on both sides of every syllable, or the plate's end does. A test
-- holds them to the box's catalogue.
-- Called by look_alike_variants.
create or replace function checkpost.syllabic_formats() returns text[]
    language sql immutable parallel safe
    return array[
        '^(BA|BHE|DHA|GA|JA|KA|KO|LU|MA|ME|NA|RA|SA|SE)([0-9]{1,2})(BA|CHA|GA|GHA|HA|JA|JHA|KA|KHA|MA|PA|PHA|TA|THA|YA|YAN)([0-9]{1,4})$',
        '^(P)(1|2|3|4|5|6|7)([0-9]{2})([0-9]{3})(BA|CHA|GA|GHA|HA|JA|JHA|KA|KHA|MA|PA|PHA|TA|THA|YA|YAN)([0-9]{1,4})$'];

revoke all on function checkpost.syllabic_formats()
    from public, anon, authenticated, service_role, authenticator;
