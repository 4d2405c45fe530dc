-- Held while a text and its upload look for each other. Only the post's own transactions meet here, and a batch that is sent again has the
-- order that it had.
-- Called by on_passage_arrival, record_signed_sms and record_sms.
create or replace function checkpost.lock_arrival(post uuid, plate text, moment timestamptz) returns void
    language plpgsql volatile security definer set search_path = '' as $$
begin
    perform checkpost.lock_name(7218, post::text || ' ' || extract(epoch from date_trunc('second', moment))::bigint);
end
$$;

revoke all on function checkpost.lock_arrival(uuid, text, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
