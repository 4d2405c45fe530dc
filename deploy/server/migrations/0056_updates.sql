-- Packages of the box's program that the park offers to its posts; the files lie beside the photos. `checkpost-server update` writes it.
-- A box takes none by itself: a technician at it does, and it checks the signature.
create table public.box_updates (
    id uuid primary key default gen_random_uuid(),
    file_name text not null check (file_name ~ '^checkpost_[0-9][0-9A-Za-z.+~-]{0,127}_[a-z0-9]{1,32}[.]deb$'),
    bytes bigint not null check (bytes between 1 and 2147483648),
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    signature text not null check (length(signature) between 1 and 4096),
    -- Null for all posts.
    checkpost_id uuid references public.checkposts on delete cascade,
    offered_at timestamptz not null default now(),
    ended_at timestamptz
);
create unique index box_updates_holding on public.box_updates (
    file_name, coalesce(checkpost_id, '00000000-0000-0000-0000-000000000000')) where ended_at is null;
create index box_updates_checkpost on public.box_updates (checkpost_id);
alter table public.box_updates enable row level security;
-- A Supabase project grants everything to everybody on new tables.
revoke all on public.box_updates from public, anon, authenticated, service_role;
grant select on public.box_updates to authenticated, service_role;
create policy admins_read on public.box_updates for select to authenticated using ((select checkpost.is_admin()));
create policy own_post_read on public.box_updates for select to authenticated
    using (ended_at is null and (select checkpost.is_signed_in())
        and (select checkpost.my_checkpost()) is not null
        and (checkpost_id is null or checkpost_id = (select checkpost.my_checkpost())));
