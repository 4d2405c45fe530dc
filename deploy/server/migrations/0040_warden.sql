-- What the warden's page needs: lists that begin at once at ten million rows, and who changed whose account.

-- Any part of a plate. PostgreSQL brings pg_trgm in its package of additions; where it is missing, the lists are slower and say the same.
do $$
begin
    if exists (select from pg_catalog.pg_available_extensions where name = 'pg_trgm') then
        create extension if not exists pg_trgm with schema extensions;
        execute format('create index vehicle_passages_plate_parts on public.vehicle_passages
            using gin (checkpost.compact_plate(plate_number) %I.gin_trgm_ops)',
            (select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
                where e.extname = 'pg_trgm'));
    end if;
exception when insufficient_privilege then
    raise notice 'pg_trgm can''t be made by this role: parts of plates are searched without an index';
end
$$;

-- The newest first, of all segments and of one.
create index violations_exit on public.violations (exit_time desc, id desc);
create index violations_segment_exit on public.violations (segment_id, exit_time desc, id desc);
create index proactive_overstay_alerts_entry on public.proactive_overstay_alerts (entry_time desc, id desc);
create index proactive_overstay_alerts_open on public.proactive_overstay_alerts (segment_id, entry_time desc) where not resolved;
create index passage_changes_created on public.passage_changes (created_at desc, id desc);
create index withdrawn_violations_withdrawn on public.withdrawn_violations (withdrawn_at desc, id desc);
-- A photo of a passage that was withdrawn is found by the passage's own id.
create index passage_changes_old_passage on public.passage_changes ((old_passage ->> 'id')) where passage_id is null;

-- Who may sign in, and as what, is what all other evidence stands on: each change of an account leaves a row that nobody can change or
-- delete over the API.
create table public.account_changes (
    id bigint generated always as identity primary key,
    -- No reference: the account may be gone.
    account_id uuid not null,
    -- As it was called then.
    email text,
    kind text not null check (kind in ('created', 'changed', 'password', 'removed')),
    -- The profile as it was and as it became; no secret stands in it.
    old_profile jsonb,
    new_profile jsonb,
    -- Null when a program did it.
    changed_by uuid references public.user_profiles on delete set null,
    created_at timestamptz not null default now()
);
create index account_changes_created on public.account_changes (created_at desc, id desc);
alter table public.account_changes enable row level security;
revoke all on public.account_changes from public, anon, authenticated, service_role;
grant select on public.account_changes to authenticated, service_role;
-- A Supabase project grants everything to everybody on new sequences, too.
revoke all on sequence public.account_changes_id_seq from public, anon, authenticated, service_role;
create policy admins_read on public.account_changes for select to authenticated using ((select checkpost.is_admin()));

create function checkpost.on_account_kept() returns trigger language plpgsql as 'begin return null; end';
create trigger z_kept after insert or update or delete on public.user_profiles
    for each row execute function checkpost.on_account_kept();
