-- Whose texts are a post's own: see checkpost.is_own_number.
create table public.sms_senders (
    checkpost_id uuid not null references public.checkposts on delete cascade,
    -- Digits alone, with the country's.
    number text not null check (number ~ '^[1-9][0-9]{3,14}$'),
    added_at timestamptz not null default now(),
    primary key (checkpost_id, number)
);
alter table public.sms_senders enable row level security;
revoke all on public.sms_senders from public, anon, authenticated, service_role;
grant select, insert, delete on public.sms_senders to authenticated, service_role;
create policy admins_read on public.sms_senders for select to authenticated using ((select checkpost.is_admin()));
create policy admins_insert on public.sms_senders for insert to authenticated with check ((select checkpost.is_admin()));
create policy admins_delete on public.sms_senders for delete to authenticated using ((select checkpost.is_admin()));

create index sms_messages_passage on public.sms_messages (passage_id);

-- These know the sender now.
drop function checkpost.record_sms(text);
drop function checkpost.text_clock(timestamptz);
