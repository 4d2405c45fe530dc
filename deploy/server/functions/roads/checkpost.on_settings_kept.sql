-- Keeps what was set for a post and what it was before, with who and why.
-- Called by the trigger z_kept of device_settings.
create or replace function checkpost.on_settings_kept() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    post uuid := case when tg_op = 'DELETE' then old.checkpost_id else new.checkpost_id end;
    was jsonb := case when tg_op = 'INSERT' then '{}' else old.settings end;
    becomes jsonb := case when tg_op = 'DELETE' then '{}' else new.settings end;
begin
    if was = becomes then return null; end if;
    insert into public.setting_changes (checkpost_id, code, old_settings, new_settings, reason, changed_by)
    -- A post that is removed is gone before its settings are.
    values (post, coalesce((select c.code from public.checkposts c where c.id = post), (select s.code from public.setting_changes s
        where s.checkpost_id = post and s.code is not null order by s.id desc limit 1)), was, becomes, checkpost.change_reason(),
        (select u.id from public.user_profiles u where u.id = auth.uid()));
    return null;
end
$$;

revoke all on function checkpost.on_settings_kept()
    from public, anon, authenticated, service_role, authenticator;
