-- A text and its upload that arrive together find each other. The trigger's name sorts before b_insert, which looks.
-- Called by the trigger a_zz_arrival of vehicle_passages.
create or replace function checkpost.on_passage_arrival() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform checkpost.lock_arrival(new.checkpost_id, new.plate_number, new.recorded_at);
    return new;
end
$$;

revoke all on function checkpost.on_passage_arrival()
    from public, anon, authenticated, service_role, authenticator;
