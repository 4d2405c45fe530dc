-- Makes a new key for a post's signed texts, or ends keys: {checkpost, action, was, reason}. The action is make, end_older (all but the newest) or
-- end_all (the post goes back to unsigned texts). Two keys hold at once: texts that are under way, and a post that has no link yet, use the one
-- before; a third one ends the first. `was` is the number of the newest key that the caller knew. Answers {changed}; each change is kept like
-- one of the settings, without the secret. For admins. Decision note 0335.
-- Called by the gateway.
create or replace function checkpost.put_text_key(word jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    why text := left(btrim(coalesce(word ->> 'reason', '')), 1000);
    post public.checkposts;
    newest integer;
    held integer;
    person uuid := (select u.id from public.user_profiles u where u.id = auth.uid());
    before text;
    after text;
begin
    if checkpost.is_client() and not checkpost.is_admin() then
        raise exception 'only an admin makes keys for texts' using errcode = 'PT403';
    end if;
    if why = '' or word ->> 'was' is null or coalesce(word ->> 'action', '') not in ('make', 'end_older', 'end_all') then
        raise exception 'checkpost, action, was and reason are needed' using errcode = 'PT400';
    end if;
    select * into post from public.checkposts c where c.id = (word ->> 'checkpost')::uuid for no key update;
    if not found then raise exception 'there is no such post' using errcode = 'PT404'; end if;
    select coalesce(max(k.number), 0) into newest from checkpost.text_keys k where k.checkpost_id = post.id;
    if newest::text <> word ->> 'was' then
        raise exception 'somebody made a key meanwhile' using errcode = 'PT409', detail = 'error_gone';
    end if;
    select string_agg(k.number::text, ', ' order by k.number) into before
        from checkpost.text_keys k where k.checkpost_id = post.id and k.ended_at is null;
    if word ->> 'action' = 'make' then
        insert into checkpost.text_keys (checkpost_id, number, secret, made_by)
        values (post.id, newest + 1, extensions.gen_random_bytes(32), person);
    end if;
    -- The key that the post has stays while nobody has fetched the one after it.
    select max(k.number) into held from checkpost.text_keys k
        where k.checkpost_id = post.id and k.ended_at is null and k.taken_at is not null;
    update checkpost.text_keys k set secret = null, ended_at = now()
        where k.checkpost_id = post.id and k.ended_at is null
            and case word ->> 'action' when 'make' then k.number < newest and k.number is distinct from held when 'end_older' then k.number < newest else true end;
    select string_agg(k.number::text, ', ' order by k.number) into after
        from checkpost.text_keys k where k.checkpost_id = post.id and k.ended_at is null;
    if before is not distinct from after then return jsonb_build_object('changed', false); end if;
    insert into public.setting_changes (checkpost_id, code, old_settings, new_settings, reason, changed_by)
    values (post.id, post.code, jsonb_strip_nulls(jsonb_build_object('sms.keys', before)),
        jsonb_strip_nulls(jsonb_build_object('sms.keys', after)), why, person);
    return jsonb_build_object('changed', true);
end
$$;

revoke all on function checkpost.put_text_key(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.put_text_key(jsonb) to authenticated, service_role;
