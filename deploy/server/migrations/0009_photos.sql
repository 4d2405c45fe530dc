-- Photos lie in the bucket passage-photos under <passage id>.jpg (or .jpeg or .png, whatever the picture is).

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('passage-photos', 'passage-photos', false, 2097152, array['image/jpeg', 'image/png'])
on conflict (id) do nothing;

-- The passage that a photo's name belongs to; null for any other name.
create function checkpost.photo_passage_id(name text) returns uuid
    language sql immutable strict set search_path = '' as $$
    select substring(name from
        '^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.(?:jpg|jpeg|png)$')::uuid
$$;

create function checkpost.may_read_photo(name text) returns boolean
    language sql stable security definer set search_path = '' as $$
    select exists (select from public.vehicle_passages p where p.id = checkpost.photo_passage_id(name)
        and (p.segment_id = checkpost.my_segment() or checkpost.is_admin()))
$$;

create function checkpost.may_write_photo(name text) returns boolean
    language sql stable security definer set search_path = '' as $$
    select exists (select from public.vehicle_passages p where p.id = checkpost.photo_passage_id(name)
        and (checkpost.is_admin() or (p.ranger_id = auth.uid() and p.segment_id = checkpost.my_segment())))
$$;

create policy passage_photos_read on storage.objects for select to authenticated
    using (bucket_id = 'passage-photos' and checkpost.may_read_photo(name));
create policy passage_photos_insert on storage.objects for insert to authenticated
    with check (bucket_id = 'passage-photos' and checkpost.may_write_photo(name));
create policy passage_photos_update on storage.objects for update to authenticated
    using (bucket_id = 'passage-photos' and checkpost.may_write_photo(name))
    with check (bucket_id = 'passage-photos' and checkpost.may_write_photo(name));
create policy passage_photos_delete on storage.objects for delete to authenticated
    using (bucket_id = 'passage-photos' and (select checkpost.is_admin()));
