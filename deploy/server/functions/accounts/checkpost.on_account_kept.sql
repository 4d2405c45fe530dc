-- Keeps each profile as it was and as it became, with who changed it.
-- Called by the trigger z_kept of user_profiles.
create or replace function checkpost.on_account_kept() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - array['updated_at'] end;
    becomes jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - array['updated_at'] end;
    whose uuid := coalesce(becomes, was) ->> 'id';
begin
    if was = becomes then return null; end if;
    insert into public.account_changes (account_id, email, kind, old_profile, new_profile, changed_by)
    values (whose, (select u.email from auth.users u where u.id = whose),
        case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'removed' end, was, becomes,
        (select p.id from public.user_profiles p where p.id = auth.uid()));
    return null;
end
$$;

revoke all on function checkpost.on_account_kept()
    from public, anon, authenticated, service_role, authenticator;
