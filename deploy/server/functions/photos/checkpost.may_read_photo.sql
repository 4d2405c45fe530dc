-- Who sees a photo: the posts of its passage's roads. An admin, warden or auditor sees those of passages that are gone, too.
-- Called by policies of storage.objects.
create or replace function checkpost.may_read_photo(name text) returns boolean
    language sql stable security definer set search_path = '' as $$
    select (checkpost.reads_all() and checkpost.photo_passage_id(name) is not null)
        or exists (select from public.vehicle_passages p where p.id = checkpost.photo_passage_id(name)
            and (p.segment_id = checkpost.my_segment() or p.segment_id = any (checkpost.other_roads())))
        -- Of a post that two roads share: its passage counts on both.
        or exists (select from public.vehicle_passages p where p.copy_of = checkpost.photo_passage_id(name)
            and p.segment_id = checkpost.my_segment())
$$;

revoke all on function checkpost.may_read_photo(text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.may_read_photo(text) to authenticated, service_role;
