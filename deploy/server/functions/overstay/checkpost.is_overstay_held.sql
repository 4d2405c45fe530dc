-- Whether an alert waits for the other post's ranger: a vehicle that passed there in time may be the one. Not for longer than a shift: a
-- review that nobody does must not hide a poacher. A time that nobody watched holds nothing up: no review will end it.
-- Called by raise_overstay_alerts.
create or replace function checkpost.is_overstay_held(plate text, entered timestamptz, deadline timestamptz, word checkpost.post_word)
    returns boolean language sql immutable set search_path = '' as $$
    select word.told - deadline <= interval '12 hours' and exists (
        select from unnest(word.seen, word.plates, word.unwatched_from) w (at, plate, unwatched_from)
        where w.unwatched_from is null and w.at > entered and w.at <= deadline and checkpost.may_be_plate(w.plate, is_overstay_held.plate))
$$;

revoke all on function checkpost.is_overstay_held(text, timestamp with time zone, timestamp with time zone, checkpost.post_word)
    from public, anon, authenticated, service_role, authenticator;
