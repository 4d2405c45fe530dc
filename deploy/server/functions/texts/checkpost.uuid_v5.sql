-- UUID v5 (RFC 9562) of a text's UTF-8 bytes: the first 16 bytes of SHA-1 over namespace and name, with version and variant set. Example:
-- in the DNS namespace, www.example.com is 2ed6657d-e927-568b-95e1-2665a8aea6a2.
-- Called by is_contested_text, is_withdrawn_text, receive_sms and record_sms.
create or replace function checkpost.uuid_v5(namespace uuid, name text) returns uuid
    language plpgsql immutable strict set search_path = '' as $$
declare
    hash bytea := extensions.digest(uuid_send(namespace) || convert_to(name, 'UTF8'), 'sha1');
begin
    hash := set_byte(hash, 6, (get_byte(hash, 6) & 15) | 80);
    hash := set_byte(hash, 8, (get_byte(hash, 8) & 63) | 128);
    return encode(substring(hash from 1 for 16), 'hex')::uuid;
end
$$;

revoke all on function checkpost.uuid_v5(uuid, text)
    from public, anon, authenticated, service_role, authenticator;
