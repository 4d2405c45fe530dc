-- What a box sends: Latin letters and digits, and ? for one that could not be read. A trigger and no check leaves the rows alone that were
-- stored before it, also when a photo or a match is added to them.
-- Called by the trigger a_plate of vehicle_passages.
create or replace function checkpost.on_passage_plate() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if checkpost.compact_plate(new.plate_number) !~ '^[A-Z0-9?]{2,16}$' then
        raise exception 'plate_number is not 2 to 16 Latin letters, digits and ?' using errcode = '23514';
    end if;
    return new;
end
$$;

revoke all on function checkpost.on_passage_plate()
    from public, anon, authenticated, service_role, authenticator;
