-- Keeps that something happened to an account which its profile doesn't show, with who did it.
-- Called by change_own_password, confirm_second_factor, end_second_factor, end_session and set_password.
create or replace function checkpost.keep_account_change(account uuid, kind text) returns void
    language sql volatile security definer set search_path = '' as $$
    insert into public.account_changes (account_id, email, kind, changed_by)
    select u.id, u.email, kind, (select p.id from public.user_profiles p where p.id = auth.uid())
    from auth.users u where u.id = account
$$;

revoke all on function checkpost.keep_account_change(uuid, text)
    from public, anon, authenticated, service_role, authenticator;
