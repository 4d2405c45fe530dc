-- A second pair of eyes. Decision note 0329.

-- The order in which passages were changed: a row gets another server_seq when its passage goes.
alter table public.passage_changes add column made bigint;
-- What is known already is not to be sent to every post anew.
alter table public.passage_changes disable trigger user;
update public.passage_changes c set made = o.place
    from (select id, row_number() over (order by created_at, server_seq) as place from public.passage_changes) o where o.id = c.id;
alter table public.passage_changes enable trigger user;
alter table public.passage_changes alter column made set not null, alter column made add generated always as identity;
select setval('public.passage_changes_made_seq', coalesce((select max(made) from public.passage_changes), 0) + 1, false);
-- A Supabase project grants everything to everybody on new sequences, too.
revoke all on sequence public.passage_changes_made_seq from public, anon, authenticated, service_role;

-- What a warden looked at and found right of what a ranger changed.
create table public.change_approvals (
    -- The page chooses it, so a word that is sent twice is taken once.
    id uuid primary key,
    passage_change_id uuid unique references public.passage_changes on delete cascade,
    outcome_change_id bigint unique references public.outcome_changes on delete cascade,
    segment_id uuid references public.highway_segments on delete cascade,
    acted_by text check (length(acted_by) <= 200),
    changed_by uuid references public.user_profiles on delete set null,
    created_at timestamptz not null default now(),
    check (num_nonnulls(passage_change_id, outcome_change_id) = 1)
);
create index change_approvals_created on public.change_approvals (created_at desc, id desc);
create index change_approvals_segment on public.change_approvals (segment_id, created_at desc);
alter table public.change_approvals enable row level security;
revoke all on public.change_approvals from public, anon, authenticated, service_role;
grant select on public.change_approvals to authenticated, service_role;
create policy segment_read on public.change_approvals for select to authenticated
    using (segment_id = (select checkpost.my_segment()) or (select checkpost.is_admin()));
create policy auditors_read on public.change_approvals for select to authenticated using ((select checkpost.reads_all()));
