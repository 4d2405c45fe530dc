-- Takes a post's answer to a question: {result, reason, checkpost_id}; the result is answered, repeated or refused. Only a key of the post in force
-- makes its signature.
-- Called by receive_sms.
create or replace function checkpost.record_answer(message text) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    post uuid;
    asked checkpost.post_questions;
begin
    if length(message) > 160 or message !~ '^A2\.[A-Za-z0-9_-]{1,20}\.[1-9A-Z][0-9A-Z]{0,6}(\.[a-z](0|[1-9A-Z][0-9A-Z]{0,5}))+\.[A-Za-z0-9:-]{12}$' then
        return jsonb_build_object('result', 'refused', 'reason', 'it is not written as an answer is; perhaps it was cut off or changed on its way');
    end if;
    select c.id into post from public.checkposts c where c.code = split_part(message, '.', 2) and c.stands_at is null;
    if not exists (select from checkpost.text_keys k where k.checkpost_id = post and k.ended_at is null
        and checkpost.text_signature(left(message, -13), k.secret) = right(message, 12)) then
        return jsonb_build_object('result', 'refused', 'reason', 'the signature is wrong: no key of the post has made it');
    end if;
    select * into asked from checkpost.post_questions q
        where q.checkpost_id = post and q.number = checkpost.base36(split_part(message, '.', 3)) for no key update;
    if not found then
        return jsonb_build_object('result', 'refused', 'checkpost_id', post, 'reason', 'nobody has asked this');
    end if;
    if asked.answered_at is not null then return jsonb_build_object('result', 'repeated', 'checkpost_id', post); end if;
    update checkpost.post_questions q set answered_at = now(), answer = message where q.id = asked.id;
    return jsonb_build_object('result', 'answered', 'checkpost_id', post);
end
$$;

revoke all on function checkpost.record_answer(text)
    from public, anon, authenticated, service_role, authenticator;
