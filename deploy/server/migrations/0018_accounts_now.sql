-- Each request is judged by what its account may now, whatever its token was signed for; and what is known of a photo's place.

-- 'active', 'inactive', 'banned' or 'gone'. The gateway asks with each request that somebody signed in makes.
create function checkpost.account_state(account uuid) returns text
    language sql stable security definer set search_path = '' as $$
    select coalesce((
        select case when u.banned_until > now() then 'banned' when not p.is_active then 'inactive' else 'active' end
        from auth.users u left join public.user_profiles p on p.id = u.id where u.id = account), 'gone')
$$;

-- As before, and nothing for a banned account either: whoever reaches the tables by another way than the gateway is held to the same.
create or replace function checkpost.is_admin() returns boolean
    language sql stable security definer set search_path = '' as $$
    select exists (select from public.user_profiles p join auth.users u on u.id = p.id
        where p.id = auth.uid() and p.is_active and p.role = 'admin' and coalesce(u.banned_until <= now(), true))
$$;

create or replace function checkpost.my_checkpost() returns uuid
    language sql stable security definer set search_path = '' as $$
    select p.assigned_checkpost_id from public.user_profiles p join auth.users u on u.id = p.id
    where p.id = auth.uid() and p.is_active and p.role = 'ranger' and coalesce(u.banned_until <= now(), true)
$$;

create or replace function checkpost.my_segment() returns uuid
    language sql stable security definer set search_path = '' as $$
    select c.segment_id from public.user_profiles p join auth.users u on u.id = p.id
        join public.checkposts c on c.id = p.assigned_checkpost_id
    where p.id = auth.uid() and p.is_active and p.role = 'ranger' and coalesce(u.banned_until <= now(), true)
$$;

-- What the gateway has to know before it takes a photo: {may, sha256, stored}. The last two are the hash that the passage was recorded
-- with and that of the photo which is there; who may not write there learns neither.
create function checkpost.photo_place(name text) returns jsonb
    language plpgsql stable security definer set search_path = '' as $$
begin
    if checkpost.is_client() and not checkpost.may_write_photo(name) then return jsonb_build_object('may', false); end if;
    return jsonb_build_object('may', true,
        'sha256', (select p.photo_sha256 from public.vehicle_passages p where p.id = checkpost.photo_passage_id(photo_place.name)),
        'stored', (select o.metadata ->> 'eTag' from storage.objects o
            where o.bucket_id = 'passage-photos' and o.name = photo_place.name));
end
$$;

revoke all on function checkpost.account_state(uuid), checkpost.photo_place(text)
    from public, anon, authenticated, service_role;
grant execute on function checkpost.account_state(uuid) to authenticator;
grant execute on function checkpost.photo_place(text) to authenticated, service_role;
