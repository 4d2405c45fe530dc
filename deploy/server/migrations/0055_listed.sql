-- Plates that the park's office lists for its posts: those to watch for, and vehicles that raise no alarm. A listing is never changed and
-- never deleted: it ends, and the row says who began and who ended it. Boxes read those of their road that hold.
create table public.listed_plates (
    id uuid primary key default gen_random_uuid(),
    kind text not null check (kind in ('wanted', 'exempt')),
    plate_number text not null
        check (length(plate_number) <= 32 and length(checkpost.compact_plate(plate_number)) between 2 and 16
            and plate_number !~ '[[:cntrl:]|]'),
    -- It stands on the alert of a post, to be read from afar.
    reason text not null check (length(btrim(reason)) >= 1 and length(reason) <= 60 and reason !~ '[[:cntrl:]]'),
    -- Null for all roads.
    segment_id uuid references public.highway_segments on delete cascade,
    listed_by uuid references public.user_profiles on delete set null,
    listed_at timestamptz not null default now(),
    ended_by uuid references public.user_profiles on delete set null,
    ended_at timestamptz
);
-- One holds at a time; the plate comes first, since it is what is looked for.
create unique index listed_plates_holding on public.listed_plates (
    checkpost.compact_plate(plate_number), kind, coalesce(segment_id, '00000000-0000-0000-0000-000000000000')) where ended_at is null;
create index listed_plates_listed on public.listed_plates (listed_at desc, id desc);
create index listed_plates_ended on public.listed_plates (ended_at desc, id desc) where ended_at is not null;
alter table public.listed_plates enable row level security;
-- A Supabase project grants everything to everybody on new tables. What is written goes through checkpost.list_plate and end_listing.
revoke all on public.listed_plates from public, anon, authenticated, service_role;
grant select on public.listed_plates to authenticated, service_role;
create policy admins_read on public.listed_plates for select to authenticated using ((select checkpost.is_admin()));
create policy own_road_read on public.listed_plates for select to authenticated
    using (ended_at is null and (select checkpost.is_signed_in())
        and (select checkpost.my_segment()) is not null
        and (segment_id is null or segment_id = (select checkpost.my_segment())));
