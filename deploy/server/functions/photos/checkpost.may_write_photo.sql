-- Who stores a photo: whose it is, once for a passage.
-- Called by policies of storage.objects.
create or replace function checkpost.may_write_photo(name text) returns boolean
    language sql stable security definer set search_path = '' as $$
    select checkpost.owns_photo(name) and not checkpost.has_other_photo(name)
$$;

revoke all on function checkpost.may_write_photo(text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.may_write_photo(text) to authenticated, service_role;
