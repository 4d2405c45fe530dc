-- Whether a vehicle that waits for review may turn out to have this plate. What was read may be wrong in three characters of nine, have
-- gaps, be a part of it, or be next to nothing: BA1PA12?4, 8A1PA1234, PA1234 and '' may be BA1PA1234; UP32AB9876 may not.
-- Called by is_overstay_held and overstay_doubts.
create or replace function checkpost.may_be_plate(seen text, plate text) returns boolean
    language sql immutable strict parallel safe set search_path = '' as $$
    select case
        when length(t.read) < 4 or length(t.read) * 2 <= length(t.seen) or position(t.read in t.plate) > 0 then true
        else checkpost.edit_distance(translate(t.seen, 'OQI', '001'), translate(t.plate, 'OQI', '001'))::numeric
            <= 0.35 * greatest(length(t.seen), length(t.plate))
    end
    from (select checkpost.compact_plate(left(seen, 32)) as seen, checkpost.compact_plate(plate) as plate,
        replace(checkpost.compact_plate(left(seen, 32)), '?', '') as read) t
$$;

revoke all on function checkpost.may_be_plate(text, text)
    from public, anon, authenticated, service_role, authenticator;
