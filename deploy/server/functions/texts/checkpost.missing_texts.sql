-- The numbers of a post's V2 texts that have not come, among the last two hundred and since the first of them that has.
-- Called by ask_post and text_key_state.
create or replace function checkpost.missing_texts(post uuid) returns setof bigint
    language sql stable security definer set search_path = '' as $$
    with seen as materialized (
        select distinct m.text_number from public.sms_messages m
        where m.checkpost_id = post
            and m.text_number > (select max(k.last_text_number) from checkpost.text_keys k where k.checkpost_id = post) - 200)
    select n from generate_series((select min(text_number) from seen), (select max(text_number) from seen)) n
    where not exists (select from seen s where s.text_number = n)
$$;

revoke all on function checkpost.missing_texts(uuid)
    from public, anon, authenticated, service_role, authenticator;
