-- Stores the passages of a V2 text and returns {result, reason, passage_id, checkpost_id, text_number}; result is inserted when one of them made
-- a row, repeated when all that can stand are here, and refused. passage_id is the first one's. Only a key of the post in force makes the
-- signature. The number of a text grows by one: a text two thousand numbers behind the last one of its key is an old one that somebody sends again; one a hundred thousand ahead would close
-- the key for all others, and is refused.
-- What comes out of its turn, or twice, is taken as ever.
-- Called by receive_sms.
create or replace function checkpost.record_signed_sms(message text, sender text) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    problem text := checkpost.signed_sms_problem(message);
    post public.checkposts;
    signing bigint;
    text_no bigint;
    last bigint;
    told record;
    outcome jsonb;
    complaint text;
    outcomes jsonb := '[]';
begin
    if problem is not null then return jsonb_build_object('result', 'refused', 'reason', problem); end if;
    select * into post from public.checkposts where code = split_part(message, '.', 2) and stands_at is null;
    if not found then return jsonb_build_object('result', 'refused', 'reason', 'unknown checkpost'); end if;
    select k.id into signing from checkpost.text_keys k
        where k.checkpost_id = post.id and k.ended_at is null
            and checkpost.text_signature(left(message, -13), k.secret) = right(message, 12)
        for no key update;
    if not found then
        return jsonb_build_object('result', 'refused', 'reason', case when checkpost.signs_texts(post.id)
            then 'the signature is wrong: no key of the post has made it. Somebody else wrote it, it was changed on its way, or its key was ended'
            else 'the post has no key for signed texts' end);
    end if;
    text_no := checkpost.base36(split_part(message, '.', 3));
    -- Each key counts for itself: who stole one that was replaced spoils nothing of the next.
    select k.last_text_number into last from checkpost.text_keys k where k.id = signing;
    if last > 0 and text_no > last + 100000 then
        return jsonb_build_object('result', 'refused', 'checkpost_id', post.id,
            'reason', format('its number is %s, far ahead of %s, the last that has come: make a new key for the post if it did not lose its records', text_no, last));
    end if;
    if text_no <= last - 2000 then
        return jsonb_build_object('result', 'refused', 'checkpost_id', post.id,
            'reason', format('an old text of the post, sent again: its number is %s, and %s has come', text_no, last));
    end if;
    update checkpost.text_keys k set last_text_number = greatest(k.last_text_number, text_no) where k.id = signing;
    -- In the order in which an upload of several takes them.
    perform checkpost.lock_arrival(post.id, split_part(p.body, '|', 3), to_timestamp(split_part(p.body, '|', 5)::double precision))
        from (select * from checkpost.signed_passages(message) order by place) p;
    -- In the order of their plates' locks, so that two texts with the same vehicles never wait for each other.
    for told in
        select p.* from checkpost.signed_passages(message) p
        order by hashtext(post.segment_id::text || ' ' || split_part(p.body, '|', 3)), p.place
    loop
        begin
            outcome := checkpost.record_sms(told.body, sender, told.clock_state);
        exception when check_violation then
            get stacked diagnostics complaint = message_text;
            outcome := jsonb_build_object('result', 'refused', 'reason', complaint);
        end;
        outcomes := outcomes || jsonb_build_array(
            outcome || jsonb_build_object('place', told.place, 'plate', split_part(told.body, '|', 3)));
    end loop;
    return (select jsonb_build_object('checkpost_id', post.id, 'text_number', text_no,
            'result', case when bool_or(o ->> 'result' = 'inserted') then 'inserted'
                when bool_or(o ->> 'result' = 'repeated') then 'repeated' else 'refused' end,
            'reason', string_agg((o ->> 'plate') || ': ' || (o ->> 'reason'), '; ' order by (o ->> 'place')::integer),
            'passage_id', (array_agg(o ->> 'passage_id' order by (o ->> 'place')::integer)
                filter (where o ->> 'passage_id' is not null))[1])
        from jsonb_array_elements(outcomes) o);
end
$$;

revoke all on function checkpost.record_signed_sms(text, text)
    from public, anon, authenticated, service_role, authenticator;
