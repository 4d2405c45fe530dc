-- Whose photo it would be: the account that recorded its passage, and the warden.
-- Called by may_write_photo and photo_place.
create or replace function checkpost.owns_photo(name text) returns boolean
    language sql stable security definer set search_path = '' as $$
    select exists (select from public.vehicle_passages p where p.id = checkpost.photo_passage_id(name)
        and (checkpost.is_admin() or (p.ranger_id = auth.uid() and p.segment_id = checkpost.my_segment())))
$$;

revoke all on function checkpost.owns_photo(text)
    from public, anon, authenticated, service_role, authenticator;
