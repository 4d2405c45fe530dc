-- Remembers contents of a photo whose row went while the storage was out of reach: they go as soon as it answers, where no other row has them.
-- Called by the gateway.
create or replace function checkpost.loosen_photo(contents text) returns void
    language sql security definer set search_path = ''
as $$
    insert into checkpost.loose_photos (hash) values (contents) on conflict do nothing;
$$;

revoke all on function checkpost.loosen_photo(text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.loosen_photo(text) to service_role;
