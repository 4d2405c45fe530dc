-- Who stores a photo: the account that recorded its passage, and the warden.
-- Called by photo_place and policies of storage.objects.
create or replace function checkpost.may_write_photo(name text) returns boolean
    language sql stable security definer set search_path = '' as $$
    select exists (select from public.vehicle_passages p where p.id = checkpost.photo_passage_id(name)
        and (checkpost.is_admin() or (p.ranger_id = auth.uid() and p.segment_id = checkpost.my_segment())))
$$;

revoke all on function checkpost.may_write_photo(text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.may_write_photo(text) to authenticated, service_role;
