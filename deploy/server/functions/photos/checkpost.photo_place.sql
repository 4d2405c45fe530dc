-- What the gateway has to know before it takes a photo: {may, sha256, stored, is_copy, has_other}: the hash that the passage was recorded
-- with, that of the photo which is there, whether that one is a smaller copy by its sender's word, and whether one is there under another
-- ending. Who may not write there learns none of it.
-- Called by the gateway.
create or replace function checkpost.photo_place(name text) returns jsonb
    language plpgsql stable security definer set search_path = '' as $$
begin
    if checkpost.is_client() and not checkpost.owns_photo(name) then return jsonb_build_object('may', false); end if;
    return jsonb_build_object('may', true,
        'sha256', (select p.photo_sha256 from public.vehicle_passages p where p.id = checkpost.photo_passage_id(photo_place.name)),
        'stored', (select o.metadata ->> 'eTag' from storage.objects o
            where o.bucket_id = 'passage-photos' and o.name = photo_place.name),
        'is_copy', exists (select from storage.objects o
            where o.bucket_id = 'passage-photos' and o.name = photo_place.name and o.metadata ? 'copyOf'),
        'has_other', checkpost.has_other_photo(photo_place.name));
end
$$;

revoke all on function checkpost.photo_place(text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.photo_place(text) to authenticated, service_role;
