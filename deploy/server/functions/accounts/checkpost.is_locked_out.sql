-- Whether an account may not sign in: banned, or deactivated by the warden.
-- Called by current_user_json, refresh_session, sign_in and sign_in_second.
create or replace function checkpost.is_locked_out(account auth.users) returns boolean
    language sql stable set search_path = '' as $$
    select coalesce(account.banned_until > now(), false)
        or exists (select from public.user_profiles p where p.id = account.id and not p.is_active)
$$;

revoke all on function checkpost.is_locked_out(auth.users)
    from public, anon, authenticated, service_role, authenticator;
