-- An account that is switched off is out at once, and stays out when it is switched on again: its sessions end, whoever switched it and by
-- what door. Who had its password signs in anew.
-- Called by the trigger y_switched of user_profiles.
create or replace function checkpost.on_account_switched() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if not new.is_active then delete from checkpost.refresh_tokens t where t.user_id = new.id; end if;
    return null;
end
$$;

revoke all on function checkpost.on_account_switched()
    from public, anon, authenticated, service_role, authenticator;
