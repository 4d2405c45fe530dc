-- The namespace of the ids that texts have: part of the contract with every device, never to be changed.
-- Called by is_contested_text, is_withdrawn_text, receive_sms and record_sms.
create or replace function checkpost.sms_namespace() returns uuid
    language sql immutable parallel safe
    return '6f1c9a52-3f0e-5d5b-9c1a-7b5f0f6f2e11'::uuid;

revoke all on function checkpost.sms_namespace()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.sms_namespace() to authenticator;
