-- What went because its term was over, and when (decision note 0326). Nothing goes unless the configuration names a term.

-- One row a day and kind. Nobody changes or deletes it over the API.
create table public.removals (
    id bigint generated always as identity primary key,
    day date not null,
    kind text not null check (kind in ('passages', 'violations', 'photos', 'changes')),
    count bigint not null,
    created_at timestamptz not null default now(),
    unique (day, kind)
);
create index removals_created on public.removals (created_at desc, id desc);
alter table public.removals enable row level security;
-- A Supabase project grants everything to everybody on new tables and sequences.
revoke all on public.removals from public, anon, authenticated, service_role;
revoke all on sequence public.removals_id_seq from public, anon, authenticated, service_role;
grant select on public.removals to authenticated, service_role;
create policy auditors_read on public.removals for select to authenticated using ((select checkpost.reads_all()));

-- The days on which a round was begun: one a day, however many servers there are.
create table checkpost.removal_rounds (day date primary key);
-- Contents of photos whose row went. The file goes when no other row has it.
create table checkpost.loose_photos (hash text primary key);
revoke all on checkpost.removal_rounds, checkpost.loose_photos from public, anon, authenticated, service_role;

-- A row that goes is looked for in all that refer to it.
create index passage_changes_passage on public.passage_changes (passage_id) where passage_id is not null;
create index proactive_overstay_alerts_resolver on public.proactive_overstay_alerts (resolved_by_passage_id)
    where resolved_by_passage_id is not null;
create index pair_changes_passage_change on public.pair_changes (passage_change_id) where passage_change_id is not null;
-- The newest row of a post, which never goes.
create index vehicle_passages_post_seq on public.vehicle_passages (checkpost_id, server_seq);
create index deleted_passages_deleted on public.deleted_passages (deleted_at);
do $$
begin
    create index checkpost_photos_stored on storage.objects (created_at, name) where bucket_id = 'passage-photos';
    create index checkpost_photos_content on storage.objects ((metadata ->> 'eTag')) where bucket_id = 'passage-photos';
exception when insufficient_privilege then
    -- In a Supabase project that table has another owner, who keeps its files himself.
    null;
end
$$;
