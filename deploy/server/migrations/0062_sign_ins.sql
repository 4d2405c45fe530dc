-- Who signed in and who was refused, for whoever answers for the accounts. Nobody changes or deletes a row over the API; after 400 days it goes.
create table public.sign_ins (
    id bigint generated always as identity primary key,
    -- As it was typed, in lower case: it may be nobody's.
    email text not null check (length(email) <= 254),
    account_id uuid,
    result text not null check (result in ('signed_in', 'refused', 'locked_out', 'second_factor_refused')),
    created_at timestamptz not null default now()
);
create index sign_ins_created on public.sign_ins (created_at desc, id desc);
create index sign_ins_refused on public.sign_ins (created_at) where result <> 'signed_in';
alter table public.sign_ins enable row level security;
-- A Supabase project grants everything to everybody on new tables and sequences.
revoke all on public.sign_ins from public, anon, authenticated, service_role;
revoke all on sequence public.sign_ins_id_seq from public, anon, authenticated, service_role;
grant select on public.sign_ins to authenticated, service_role;
create policy admins_read on public.sign_ins for select to authenticated using ((select checkpost.is_admin()));
create policy auditors_read on public.sign_ins for select to authenticated using ((select checkpost.reads_all()));
