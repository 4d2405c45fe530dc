-- What a warden says of two passages: one vehicle's trip, or not. Decision note 0305.

-- Two passages that are no one trip, whatever their plates say: pairs_around never pairs them, alike_passages never proposes them.
create table checkpost.parted_pairs (
    one uuid not null references public.vehicle_passages on delete cascade,
    other uuid not null references public.vehicle_passages on delete cascade,
    primary key (one, other),
    check (one < other)
);
create index parted_pairs_other on checkpost.parted_pairs (other);
revoke all on checkpost.parted_pairs from public, anon, authenticated, service_role;

-- Each such word, and each that was taken back. Nobody can change or delete a row over the API.
create table public.pair_changes (
    -- The page chooses it, so a word that is sent twice is taken once.
    id uuid primary key,
    kind text not null check (kind in ('joined', 'parted', 'undone')),
    segment_id uuid not null references public.highway_segments on delete cascade,
    -- No references: a passage may go, and the word about it stays. The entry first, with the plates as they were.
    entry_passage_id uuid not null,
    exit_passage_id uuid not null,
    entry_plate text not null,
    exit_plate text not null,
    -- The correction that made two plates one.
    passage_change_id uuid references public.passage_changes on delete set null,
    -- The violation that fell away with the pair.
    old_violation jsonb,
    undoes uuid unique references public.pair_changes on delete cascade,
    reason text not null check (length(reason) between 1 and 1000),
    acted_by text check (length(acted_by) <= 200),
    changed_by uuid references public.user_profiles on delete set null,
    created_at timestamptz not null default now(),
    check ((kind = 'undone') = (undoes is not null))
);
create index pair_changes_created on public.pair_changes (created_at desc, id desc);
create index pair_changes_segment on public.pair_changes (segment_id, created_at desc);
alter table public.pair_changes enable row level security;
revoke all on public.pair_changes from public, anon, authenticated, service_role;
grant select on public.pair_changes to authenticated, service_role;
create policy segment_read on public.pair_changes for select to authenticated
    using (segment_id = (select checkpost.my_segment()) or (select checkpost.is_admin()));

-- A session that an admin ended leaves a row like a new password.
alter table public.account_changes drop constraint account_changes_kind_check,
    add constraint account_changes_kind_check check (kind in ('created', 'changed', 'password', 'signed_out', 'removed'));
