-- Whether a plate was read in full. One that was read in part (? stands for what could not be read) equals none for certain, not even one
-- that is written the same.
-- Called by alike_passages, judge_vehicles, look_alike_variants, match_around, match_passage and may_be_same.
create or replace function checkpost.is_whole_plate(plate text) returns boolean
    language sql immutable strict parallel safe
    return position('?' in plate) = 0;

revoke all on function checkpost.is_whole_plate(text)
    from public, anon, authenticated, service_role, authenticator;
