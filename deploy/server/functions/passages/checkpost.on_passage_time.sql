-- A time that every client can read. A box whose clock was lost may be decades off: its passages are kept, and make no violation on an
-- untrusted clock. A trigger and no check leaves older rows alone; its name sorts before b_insert, which may end an insert by a merge.
-- Called by the trigger a_time of vehicle_passages.
create or replace function checkpost.on_passage_time() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if not checkpost.is_plausible(new.recorded_at) then
        raise exception 'recorded_at is before 1970 or after 2099' using errcode = '23514',
            detail = format('The time is %s.', new.recorded_at);
    end if;
    return new;
end
$$;

revoke all on function checkpost.on_passage_time()
    from public, anon, authenticated, service_role, authenticator;
