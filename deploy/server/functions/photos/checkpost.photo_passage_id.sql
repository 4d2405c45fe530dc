-- The passage that a photo's name belongs to; null for any other name.
-- Called by has_other_photo, is_photo_old, may_read_photo, owns_photo and photo_place.
create or replace function checkpost.photo_passage_id(name text) returns uuid
    language sql immutable strict set search_path = '' as $$
    select substring(name from
        '^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.(?:jpg|jpeg|png)$')::uuid
$$;

revoke all on function checkpost.photo_passage_id(text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.photo_passage_id(text) to authenticated, service_role;
