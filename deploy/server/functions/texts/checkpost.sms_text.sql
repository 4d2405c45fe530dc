-- The text as the box sent it, and as its id is computed over: networks add white space at the ends.
-- Called by public.hand_in_text, is_contested_text and receive_sms.
create or replace function checkpost.sms_text(message text) returns text
    language sql immutable set search_path = '' as $$
    select btrim(coalesce(message, ''), E' \t\r\n')
$$;

revoke all on function checkpost.sms_text(text)
    from public, anon, authenticated, service_role, authenticator;
