-- Sets all settings of a post: {checkpost, settings, was, reason}. `was` is the md5 of the settings that the caller knew, so that nobody's later
-- word is written over unseen. The post takes them over within about a minute, or with its next cycle if that is
-- later, over those of its file. Answers {changed}; sent again it changes
-- nothing. For admins. Decision note 0330.
-- Called by the gateway.
create or replace function checkpost.put_settings(word jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    why text := left(btrim(coalesce(word ->> 'reason', '')), 1000);
    post uuid := word ->> 'checkpost';
    held jsonb;
begin
    if checkpost.is_client() and not checkpost.is_admin() then
        raise exception 'only an admin sets what a post does' using errcode = 'PT403';
    end if;
    if jsonb_typeof(word -> 'settings') is distinct from 'object' or word ->> 'was' is null or why = '' then
        raise exception 'checkpost, settings, was and reason are needed' using errcode = 'PT400';
    end if;
    -- One at a time for a post, also where it has no row yet.
    perform from public.checkposts c where c.id = post for update;
    if not found then raise exception 'there is no such post' using errcode = 'PT404'; end if;
    held := coalesce((select d.settings from public.device_settings d where d.checkpost_id = post), '{}');
    if held = word -> 'settings' then return jsonb_build_object('changed', false); end if;
    if md5(held::text) <> word ->> 'was' then
        raise exception 'somebody set it meanwhile' using errcode = 'PT409', detail = 'error_gone';
    end if;
    perform set_config('checkpost.reason', why, true);
    insert into public.device_settings (checkpost_id, settings) values (post, word -> 'settings')
    on conflict (checkpost_id) do update set settings = excluded.settings, updated_at = now();
    perform set_config('checkpost.reason', '', true);
    return jsonb_build_object('changed', true);
end
$$;

revoke all on function checkpost.put_settings(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.put_settings(jsonb) to authenticated, service_role;
