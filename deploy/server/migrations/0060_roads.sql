-- What each road was and became, with who, when and why, and changes that are planned for later. Decision note 0323.
create table public.road_changes (
    id bigint generated always as identity primary key,
    -- No reference: the road may be gone.
    segment_id uuid not null,
    name text not null,
    kind text not null check (kind in ('created', 'changed', 'removed', 'planned', 'dropped', 'failed')),
    old_road jsonb,
    new_road jsonb,
    reason text not null,
    -- Null when a program did it.
    changed_by uuid references public.user_profiles on delete set null,
    created_at timestamptz not null default now()
);
create index road_changes_created on public.road_changes (created_at desc, id desc);

-- A change that takes effect later: a round makes it when its time has come. The row stays, and says when it ended.
create table public.road_plans (
    id uuid primary key default gen_random_uuid(),
    segment_id uuid not null references public.highway_segments on delete cascade,
    -- What it changes of the road: distance_km, max_speed_kmh, min_speed_kmh, tolerance_kmh, tolerance_percent.
    road jsonb not null,
    effective_at timestamptz not null,
    reason text not null check (length(btrim(reason)) >= 1 and length(reason) <= 200),
    planned_by uuid references public.user_profiles on delete set null,
    planned_at timestamptz not null default now(),
    ended_at timestamptz
);
create index road_plans_waiting on public.road_plans (effective_at) where ended_at is null;

alter table public.road_changes enable row level security;
alter table public.road_plans enable row level security;
-- A Supabase project grants everything to everybody on new tables. What is written goes through checkpost.change_road and its like.
revoke all on public.road_changes, public.road_plans from public, anon, authenticated, service_role;
revoke all on sequence public.road_changes_id_seq from public, anon, authenticated, service_role;
grant select on public.road_changes, public.road_plans to authenticated, service_role;
create policy admins_read on public.road_changes for select to authenticated using ((select checkpost.is_admin()));
create policy admins_read on public.road_plans for select to authenticated using ((select checkpost.is_admin()));
create policy auditors_read on public.road_changes for select to authenticated using ((select checkpost.reads_all()));
create policy auditors_read on public.road_plans for select to authenticated using ((select checkpost.reads_all()));
create policy own_road_read on public.road_changes for select to authenticated using (segment_id = (select checkpost.my_segment()));
create policy own_road_read on public.road_plans for select to authenticated using (segment_id = (select checkpost.my_segment()));

create function checkpost.on_road_kept() returns trigger language plpgsql as 'begin return null; end';
create trigger z_kept after insert or update or delete on public.highway_segments
    for each row execute function checkpost.on_road_kept();
