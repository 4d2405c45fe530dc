-- What the office asks a post by SMS, signed with the post's key, and what the post answered. Decision note 0345.
create table checkpost.post_questions (
    id bigint generated always as identity primary key,
    checkpost_id uuid not null references public.checkposts on delete cascade,
    -- The second at which it was asked, or the one after the number before: a post answers none below one that it has answered.
    number bigint not null check (number > 0),
    wish text not null check (wish in ('status', 'texts')),
    -- As it goes to the post.
    body text not null check (length(body) <= 160),
    asked_at timestamptz not null default now(),
    asked_by uuid references public.user_profiles on delete set null,
    -- Where the server's own modem sends it; null where somebody sends it from a phone.
    phone text check (length(phone) <= 20),
    sent_at timestamptz,
    -- Why the modem could not.
    problem text check (length(problem) <= 300),
    answered_at timestamptz,
    answer text check (length(answer) <= 160),
    unique (checkpost_id, number)
);
revoke all on checkpost.post_questions from public, anon, authenticated, service_role, authenticator;
revoke all on sequence checkpost.post_questions_id_seq from public, anon, authenticated, service_role, authenticator;
create index post_questions_to_send on checkpost.post_questions (id) where phone is not null and sent_at is null and problem is null;

alter table public.sms_messages drop constraint sms_messages_result_check,
    add constraint sms_messages_result_check check (result in ('inserted', 'repeated', 'refused', 'answered'));
