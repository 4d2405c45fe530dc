-- How a post's keys for its texts stand, without the secrets: {newest, last_text_number, missing, keys: [{number, made_at, by, taken_at, ended_at}]}
-- with those in force and the last five; times in microseconds since 1970. missing counts the numbers that have not come among the last two hundred.
-- For those who read all.
-- Called by the gateway.
create or replace function checkpost.text_key_state(post uuid) returns jsonb
    language plpgsql stable security definer set search_path = '' as $$
declare
    last bigint;
begin
    if checkpost.is_client() and not checkpost.reads_all() then
        raise exception 'only who reads all sees the keys of a post' using errcode = 'PT403';
    end if;
    select max(k.last_text_number) into last from checkpost.text_keys k where k.checkpost_id = post;
    return jsonb_build_object('newest', (select coalesce(max(k.number), 0) from checkpost.text_keys k where k.checkpost_id = post),
        'last_text_number', coalesce(last, 0),
        'missing', (select count(*) from checkpost.missing_texts(post)),
        'keys', (select coalesce(jsonb_agg(jsonb_build_object('number', k.number, 'by', u.full_name,
                'made_at', (extract(epoch from k.made_at) * 1000000)::bigint, 'taken_at', (extract(epoch from k.taken_at) * 1000000)::bigint, 'ended_at', (extract(epoch from k.ended_at) * 1000000)::bigint)
                order by k.number desc), '[]')
            from (select * from checkpost.text_keys t where t.checkpost_id = post order by t.number desc limit 5) k
                left join public.user_profiles u on u.id = k.made_by));
end
$$;

revoke all on function checkpost.text_key_state(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.text_key_state(uuid) to authenticated, service_role;
