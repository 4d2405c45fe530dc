-- A claim on a text that belongs to another second of the same post says nothing; it would only be in the way of the text's own row. The
-- trigger's name sorts after b_insert, which merges an upload with its text.
-- Called by the trigger c_claim of vehicle_passages.
create or replace function checkpost.on_passage_claim() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if new.source <> 'sms' and exists (select from public.vehicle_passages p where p.sms_client_id = new.sms_client_id
        and p.checkpost_id = new.checkpost_id
        and date_trunc('second', p.recorded_at) <> date_trunc('second', new.recorded_at)) then
        new.sms_client_id := null;
    end if;
    return new;
end
$$;

revoke all on function checkpost.on_passage_claim()
    from public, anon, authenticated, service_role, authenticator;
