-- Whether a text says that it is one of version V2.
-- Called by public.hand_in_text and receive_sms.
create or replace function checkpost.is_signed_text(message text) returns boolean
    language sql immutable set search_path = '' as $$
    select starts_with(message, 'V2.')
$$;

revoke all on function checkpost.is_signed_text(text)
    from public, anon, authenticated, service_role, authenticator;
