-- What waits for a ranger's review at a post. The other post reads it: a vehicle that waits there has not overstayed.

create table public.post_reviews (
    checkpost_id uuid primary key references public.checkposts on delete cascade,
    -- The post's own clock: what it saw later may wait as well.
    as_of timestamptz not null,
    -- [{"at": "2026-11-21T10:00:00.000Z", "plate": "BA 1 PA 1234"}]: what was read may be wrong, have gaps, or be empty.
    waiting jsonb not null default '[]'
        check (jsonb_typeof(waiting) = 'array' and jsonb_array_length(waiting) <= 200 and length(waiting::text) <= 40000),
    updated_at timestamptz not null default now()
);

create function checkpost.checkpost_segment(post uuid) returns uuid
    language sql stable security definer set search_path = '' as $$
    select c.segment_id from public.checkposts c where c.id = post
$$;
revoke all on function checkpost.checkpost_segment(uuid) from public, anon, authenticated, service_role;
grant execute on function checkpost.checkpost_segment(uuid) to authenticated, service_role;

alter table public.post_reviews enable row level security;
-- A Supabase project grants everything to everybody on new tables.
revoke all on public.post_reviews from public, anon, authenticated, service_role;
grant select, insert, update on public.post_reviews to authenticated, service_role;
create policy admins_do_all on public.post_reviews for all to authenticated
    using ((select checkpost.is_admin())) with check ((select checkpost.is_admin()));
create policy segment_read on public.post_reviews for select to authenticated
    using (checkpost.checkpost_segment(checkpost_id) = (select checkpost.my_segment()));
create policy own_post_insert on public.post_reviews for insert to authenticated
    with check (checkpost_id = (select checkpost.my_checkpost()));
create policy own_post_update on public.post_reviews for update to authenticated
    using (checkpost_id = (select checkpost.my_checkpost())) with check (checkpost_id = (select checkpost.my_checkpost()));

create trigger t_touch before update on public.post_reviews
    for each row execute function checkpost.on_row_touch();
