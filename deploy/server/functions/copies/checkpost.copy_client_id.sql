-- The client_id of a passage's copy at a post: it follows from both, so that a copy is never made twice. Its version is 8 (RFC 9562, a maker's
-- own), or 5 as long as the passage is known by a text alone.
-- Called by copy_passages and on_original_changed.
create or replace function checkpost.copy_client_id(client_id uuid, post uuid) returns uuid
    language plpgsql immutable strict set search_path = '' as $$
declare
    hash bytea := sha256(uuid_send(client_id) || uuid_send(post));
    version integer := case when substring(client_id::text, 15, 1) = '5' then 5 else 8 end;
begin
    hash := set_byte(hash, 6, (get_byte(hash, 6) & 15) | (version << 4));
    hash := set_byte(hash, 8, (get_byte(hash, 8) & 63) | 128);
    return encode(substring(hash from 1 for 16), 'hex')::uuid;
end
$$;

revoke all on function checkpost.copy_client_id(uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
