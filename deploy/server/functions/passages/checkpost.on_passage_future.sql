-- A passage that lies more than a day ahead was timed by a clock that is wrong. It is kept, since no record is lost to a clock, and marked:
-- it makes no violation and no overstay, and is nobody's latest. The trigger's name sorts after a_time and before b_insert.
-- Called by the trigger a_time_ahead of vehicle_passages.
create or replace function checkpost.on_passage_future() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if new.recorded_at > now() + interval '24 hours' then new.clock_state := 'untrusted'; end if;
    return new;
end
$$;

revoke all on function checkpost.on_passage_future()
    from public, anon, authenticated, service_role, authenticator;
