-- Asks a post something by SMS: {checkpost, wish, phone}. The wish is status, or texts: those of the missing ones that stand first, ten numbers at
-- most. phone is where the server's own modem sends it, null where somebody sends it from a phone. Answers {number}. For admins. Decision note 0345.
-- Called by the gateway.
create or replace function checkpost.ask_post(word jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    post public.checkposts;
    key checkpost.text_keys;
    question bigint;
    missing_from bigint;
    missing_to bigint;
    said text;
begin
    if checkpost.is_client() and not checkpost.is_admin() then
        raise exception 'only an admin asks a post by SMS' using errcode = 'PT403';
    end if;
    if coalesce(word ->> 'wish', '') not in ('status', 'texts') then
        raise exception 'checkpost and wish are needed' using errcode = 'PT400';
    end if;
    select * into post from public.checkposts c where c.id = (word ->> 'checkpost')::uuid and c.stands_at is null for no key update;
    if not found then raise exception 'there is no such post' using errcode = 'PT404'; end if;
    -- The post signs and checks with the newest key that it has fetched.
    select * into key from checkpost.text_keys k
        where k.checkpost_id = post.id and k.ended_at is null and k.taken_at is not null order by k.number desc limit 1;
    if not found then raise exception 'the post has fetched no key yet' using errcode = 'PT409', detail = 'error_no_key'; end if;
    if word ->> 'wish' = 'texts' then
        select min(n) into missing_from from checkpost.missing_texts(post.id) n;
        if missing_from is null then raise exception 'no text is missing' using errcode = 'PT409', detail = 'error_none_missing'; end if;
        select max(n) into missing_to from checkpost.missing_texts(post.id) n where n < missing_from + 10;
    end if;
    select greatest(floor(extract(epoch from clock_timestamp()))::bigint, max(q.number) + 1) into question
        from checkpost.post_questions q where q.checkpost_id = post.id;
    said := concat_ws('.', 'Q2', post.code, checkpost.to_base36(question), case word ->> 'wish' when 'status' then 'S' else 'T' end,
        checkpost.to_base36(missing_from), checkpost.to_base36(missing_to));
    insert into checkpost.post_questions (checkpost_id, number, wish, body, asked_by, phone)
    values (post.id, question, word ->> 'wish', said || '.' || checkpost.text_signature(said, key.secret),
        (select u.id from public.user_profiles u where u.id = auth.uid()), nullif(word ->> 'phone', ''));
    return jsonb_build_object('number', question);
end
$$;

revoke all on function checkpost.ask_post(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.ask_post(jsonb) to authenticated, service_role;
