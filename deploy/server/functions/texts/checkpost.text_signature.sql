-- The signature of a V2 text, a question to a post and its answer: the first 72 bits of HMAC-SHA256 over all that stands before its last point, in the letters of base 64 with - and :
-- for + and /, which networks change.
-- Called by ask_post, record_answer and record_signed_sms.
create or replace function checkpost.text_signature(body text, secret bytea) returns text
    language sql immutable strict set search_path = '' as $$
    select translate(encode(substring(extensions.hmac(convert_to(body, 'UTF8'), secret, 'sha256') from 1 for 9), 'base64'), '+/', '-:')
$$;

revoke all on function checkpost.text_signature(text, bytea)
    from public, anon, authenticated, service_role, authenticator;
