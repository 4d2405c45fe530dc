-- Takes signed texts (V2) of other posts from a box that kept them while it had no link either: {"texts": [text, …]}, in its order, twenty at
-- most. Returns {"results": [inserted, repeated or refused, …]}. Who hands a text in says nothing of who wrote it: its signature does, so that
-- no other text is taken here. A text has the same id whichever way it comes. For posts alone.
-- Called by clients.
create or replace function public.hand_in_texts(jsonb) returns jsonb
    language plpgsql volatile security definer set search_path = '' as $$
declare
    post uuid := checkpost.my_checkpost();
    given jsonb := $1 -> 'texts';
    body text;
    results jsonb := '[]';
    claims text := current_setting('request.jwt.claims', true);
begin
    if post is null then raise exception 'only a post hands in what it kept for others' using errcode = 'PT403'; end if;
    if jsonb_typeof(given) is distinct from 'array' or jsonb_array_length(given) > 20
        or exists (select 1 from jsonb_array_elements(given) e where jsonb_typeof(e) <> 'string' or length(e #>> '{}') > 400)
    then
        raise exception 'texts is no list of at most twenty texts' using errcode = 'PT400';
    end if;
    -- What a text makes is its post's and not the caller's.
    perform set_config('checkpost.hands_in', 'yes', true), set_config('request.jwt.claims', '', true);
    for body in select e #>> '{}' from jsonb_array_elements(given) with ordinality as t(e, place) order by place
    loop
        results := results || to_jsonb(case when checkpost.is_signed_text(checkpost.sms_text(body))
            then checkpost.receive_sms(body, null, 'kept-' || md5(body)) ->> 'result' else 'refused' end);
    end loop;
    perform set_config('checkpost.hands_in', '', true), set_config('request.jwt.claims', claims, true);
    return jsonb_build_object('results', results);
end
$$;

revoke all on function public.hand_in_texts(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.hand_in_texts(jsonb) to authenticated;
