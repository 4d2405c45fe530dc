-- Takes a signed text (V2) of another post from a box that kept it while it had no link either: {"text": text}. Returns {"result": inserted,
-- repeated or refused}. Who hands it in says nothing of who wrote it: its signature does, so that no other text is taken here. A text has the
-- same id whichever way it comes. One a call, since its post's own upload takes the same locks in an order of its own. For posts alone.
-- Called by clients.
create or replace function public.hand_in_text(jsonb) returns jsonb
    language plpgsql volatile security definer set search_path = '' as $$
declare
    post uuid := checkpost.my_checkpost();
    body text := $1 ->> 'text';
    claims text := current_setting('request.jwt.claims', true);
    result text := 'refused';
begin
    if post is null then raise exception 'only a post hands in what it kept for others' using errcode = 'PT403'; end if;
    if body is null or length(body) > 400 then
        raise exception 'text is needed, of at most 400 characters' using errcode = 'PT400';
    end if;
    if checkpost.is_signed_text(checkpost.sms_text(body)) then
        -- What a text makes is its post's word and not the caller's.
        perform set_config('checkpost.hands_in', 'yes', true), set_config('request.jwt.claims', '', true);
        begin
            result := checkpost.receive_sms(body, null, 'kept-' || md5(body)) ->> 'result';
        exception when sqlstate 'PT409' then
            -- Its passage was deleted here.
            result := 'refused';
        end;
        perform set_config('checkpost.hands_in', '', true), set_config('request.jwt.claims', claims, true);
    end if;
    return jsonb_build_object('result', result);
end
$$;

revoke all on function public.hand_in_text(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.hand_in_text(jsonb) to authenticated;
