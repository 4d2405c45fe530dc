-- Removes photos by their names, and remembers their contents until the files are gone; returns how many.
-- Called by remove_old_passages and remove_old_photos.
create or replace function checkpost.remove_photos(names text[]) returns bigint
    language sql set search_path = '' as $$
    with gone as (
        delete from storage.objects o where o.bucket_id = 'passage-photos' and o.name = any (names) returning o.metadata ->> 'eTag' as hash
    ), kept as (
        insert into checkpost.loose_photos (hash) select distinct g.hash from gone g where g.hash is not null on conflict do nothing
    )
    select count(*) from gone
$$;

revoke all on function checkpost.remove_photos(text[])
    from public, anon, authenticated, service_role, authenticator;
