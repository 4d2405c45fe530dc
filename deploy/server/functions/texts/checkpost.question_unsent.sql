-- Says why the server's modem could not send a question.
-- Called by the gateway.
create or replace function checkpost.question_unsent(question bigint, reason text) returns void
    language sql security definer set search_path = '' as $$
    update checkpost.post_questions q set sent_at = null, problem = left(reason, 300) where q.id = question
$$;

revoke all on function checkpost.question_unsent(bigint, text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.question_unsent(bigint, text) to authenticator;
