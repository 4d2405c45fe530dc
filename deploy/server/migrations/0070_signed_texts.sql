-- What a post signs its texts with (V2). A post that has a key in force signs: what comes unsigned in its name proves nothing. Decision
-- note 0335. The secret is told to the post's own account by public.text_key, and to nobody else.
create table checkpost.text_keys (
    id bigint generated always as identity primary key,
    checkpost_id uuid not null references public.checkposts on delete cascade,
    -- The how many-th key of the post.
    number integer not null check (number > 0),
    -- Gone when the key is ended.
    secret bytea check (octet_length(secret) = 32),
    made_at timestamptz not null default now(),
    made_by uuid references public.user_profiles on delete set null,
    -- When the post fetched it first.
    taken_at timestamptz,
    ended_at timestamptz,
    -- The highest number of a text that was signed with it.
    last_text_number bigint not null default 0 check (last_text_number >= 0),
    unique (checkpost_id, number),
    check ((secret is null) = (ended_at is not null))
);
revoke all on checkpost.text_keys from public, anon, authenticated, service_role, authenticator;
revoke all on sequence checkpost.text_keys_id_seq from public, anon, authenticated, service_role, authenticator;

-- Of a signed text: whose it is, and its number. Null where nobody has proved it.
alter table public.sms_messages
    add column checkpost_id uuid references public.checkposts on delete set null,
    add column text_number bigint;
create index sms_messages_number on public.sms_messages (checkpost_id, text_number) where text_number is not null;

-- These know whether a text was signed now.
drop function if exists checkpost.record_sms(text, text);
drop function if exists checkpost.text_clock(timestamptz, uuid, text);
