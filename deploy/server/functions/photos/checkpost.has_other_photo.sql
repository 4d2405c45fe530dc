-- Whether the passage of this photo's name has one under another ending. Evidence is one picture: a second one would stand beside it, and
-- nothing would say which was there first.
-- Called by may_write_photo and photo_place.
create or replace function checkpost.has_other_photo(name text) returns boolean
    language sql stable security definer set search_path = '' as $$
    select exists (select from storage.objects o, unnest(array['.jpg', '.jpeg', '.png']) ending
        where o.bucket_id = 'passage-photos' and o.name = checkpost.photo_passage_id(has_other_photo.name)::text || ending
            and o.name <> has_other_photo.name)
$$;

revoke all on function checkpost.has_other_photo(text)
    from public, anon, authenticated, service_role, authenticator;
