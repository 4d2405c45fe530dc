-- The oldest question that waits for the server's modem: {id, phone, body}; null where none does. It is written down as sent: the modem says when it could
-- not, and a question that goes out twice is answered once. One that has waited for a day is none any longer.
-- Called by the gateway.
create or replace function checkpost.question_to_send() returns jsonb
    language sql security definer set search_path = '' as $$
    update checkpost.post_questions q set sent_at = now()
    where q.id = (select w.id from checkpost.post_questions w
        where w.phone is not null and w.sent_at is null and w.problem is null and w.asked_at > now() - interval '1 day'
        order by w.id limit 1 for update skip locked)
    returning jsonb_build_object('id', q.id, 'phone', q.phone, 'body', q.body)
$$;

revoke all on function checkpost.question_to_send()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.question_to_send() to authenticator;
