-- The last ten questions to a post, the newest first: [{number, wish, body, by, phone, problem, answer, asked_at, sent_at, answered_at}], times in
-- microseconds since 1970. For those who read all.
-- Called by the gateway.
create or replace function checkpost.post_question_list(post uuid) returns jsonb
    language plpgsql stable security definer set search_path = '' as $$
begin
    if checkpost.is_client() and not checkpost.reads_all() then
        raise exception 'only who reads all sees what a post was asked' using errcode = 'PT403';
    end if;
    return (select coalesce(jsonb_agg(jsonb_build_object('number', q.number, 'wish', q.wish, 'body', q.body, 'by', u.full_name, 'phone', q.phone,
            'problem', q.problem, 'answer', q.answer, 'asked_at', (extract(epoch from q.asked_at) * 1000000)::bigint,
            'sent_at', (extract(epoch from q.sent_at) * 1000000)::bigint, 'answered_at', (extract(epoch from q.answered_at) * 1000000)::bigint)
            order by q.number desc), '[]')
        from (select * from checkpost.post_questions a where a.checkpost_id = post order by a.number desc limit 10) q
            left join public.user_profiles u on u.id = q.asked_by);
end
$$;

revoke all on function checkpost.post_question_list(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.post_question_list(uuid) to authenticated, service_role;
