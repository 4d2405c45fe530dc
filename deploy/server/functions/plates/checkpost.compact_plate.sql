-- The form of a plate that is compared: without spaces, upper case. 'ba 1 pa 1234' becomes 'BA1PA1234'. Indexes hold it: another form needs
-- a migration that builds them anew.
-- Called by alike_passages, change_passage, find_passages, is_photo_old, is_withdrawn_text, is_word, judge_vehicles, list_plate, lock_plate, lock_plates,
-- look_alike_variants, match_around, match_candidates, match_passage, may_be_plate, may_be_same, merge_upload, on_passage_delete,
-- on_passage_facts, on_passage_match, on_passage_plate, pairs_around, public.passage_days, record_sms, undo_pair_change, unproven_texts and
-- checks and indexes of listed_plates and vehicle_passages.
create or replace function checkpost.compact_plate(plate text) returns text
    language sql immutable strict parallel safe
    return upper(regexp_replace(plate, '\s', '', 'g'));

revoke all on function checkpost.compact_plate(text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.compact_plate(text) to authenticated, service_role;
