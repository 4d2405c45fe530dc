-- What an account may now, whatever its token was signed for: 'active', 'inactive', 'banned' or 'gone'. Asked with each request that
-- somebody signed in makes.
-- Called by the gateway.
create or replace function checkpost.account_state(account uuid) returns text
    language sql stable security definer set search_path = '' as $$
    select coalesce((
        select case when u.banned_until > now() then 'banned' when not p.is_active then 'inactive' else 'active' end
        from auth.users u left join public.user_profiles p on p.id = u.id where u.id = account), 'gone')
$$;

revoke all on function checkpost.account_state(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.account_state(uuid) to authenticator;
