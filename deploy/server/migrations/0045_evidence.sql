-- The evidence chains of the boxes: what each signed of its passages, entry by entry, as deploy/docs/evidence.md has it. Only
-- checkpost.add_evidence writes here, and nothing is changed or removed.
create table public.evidence_chains (
    chain uuid primary key,
    checkpost_id uuid not null references public.checkposts on delete cascade,
    -- The number up to which nothing is missing.
    complete_to bigint not null default 0,
    added_at timestamptz not null default now()
);

create table public.evidence_entries (
    chain uuid not null references public.evidence_chains on delete cascade,
    number bigint not null check (number > 0),
    client_id uuid,
    kind text not null,
    text text not null check (length(text) <= 8000),
    hash text not null,
    -- The hash of the entry before that the text names.
    before text,
    -- A public key that the text names.
    named_key text,
    key text,
    signature text,
    -- Signed, with the key in force.
    is_signed boolean not null,
    -- Whether it names the hash of the entry before that is here.
    follows boolean not null,
    -- The end of a parcel: the server had the chain up to here at received_at.
    is_head boolean not null default false,
    received_at timestamptz not null default now(),
    primary key (chain, number)
);
create index evidence_entries_passage on public.evidence_entries (client_id) where client_id is not null;
create index evidence_entries_keys on public.evidence_entries (chain, number) where named_key is not null;
create index evidence_entries_unsound on public.evidence_entries (received_at) where not (is_signed and follows);
create index evidence_entries_heads on public.evidence_entries (chain, number) where is_head;

-- Another entry with a number that is taken: somebody signed two histories.
create table public.evidence_forks (
    chain uuid not null references public.evidence_chains on delete cascade,
    number bigint not null,
    hash text not null,
    text text not null check (length(text) <= 8000),
    key text,
    signature text,
    is_signed boolean not null,
    received_at timestamptz not null default now(),
    primary key (chain, number, hash)
);

create function checkpost.chain_segment(wanted uuid) returns uuid
    language sql stable security definer set search_path = '' as 'select null::uuid';
revoke all on function checkpost.chain_segment(uuid) from public, anon, authenticated, service_role;
grant execute on function checkpost.chain_segment(uuid) to authenticated, service_role;

alter table public.evidence_chains enable row level security;
alter table public.evidence_entries enable row level security;
alter table public.evidence_forks enable row level security;
revoke all on public.evidence_chains, public.evidence_entries, public.evidence_forks
    from public, anon, authenticated, service_role;
grant select on public.evidence_chains, public.evidence_entries, public.evidence_forks to authenticated, service_role;
create policy segment_read on public.evidence_chains for select to authenticated
    using ((select checkpost.is_admin()) or checkpost.checkpost_segment(checkpost_id) = (select checkpost.my_segment()));
create policy segment_read on public.evidence_entries for select to authenticated
    using ((select checkpost.is_admin()) or checkpost.chain_segment(chain) = (select checkpost.my_segment()));
create policy segment_read on public.evidence_forks for select to authenticated
    using ((select checkpost.is_admin()) or checkpost.chain_segment(chain) = (select checkpost.my_segment()));
