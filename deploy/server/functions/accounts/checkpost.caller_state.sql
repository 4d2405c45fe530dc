-- What the one whom a token stands for may now, whatever it was signed for: 'active', 'reading' (an auditor, who changes nothing),
-- 'inactive', 'banned', 'gone', or 'signed_out' when the token's session has ended (a new password, a sign-out). Asked with each request that
-- somebody signed in makes.
-- A token without a session (`session` is null) is judged by its account alone.
-- Called by the gateway.
create or replace function checkpost.caller_state(account uuid, session text) returns text
    language plpgsql stable security definer set search_path = '' as $$
begin
    return coalesce((
        select case when u.banned_until > now() then 'banned' when not p.is_active then 'inactive'
            when session is not null and not exists (
                select from checkpost.refresh_tokens t where t.user_id = account and t.session_id::text = session)
                then 'signed_out'
            when p.role = 'auditor' then 'reading' else 'active' end
        from auth.users u left join public.user_profiles p on p.id = u.id where u.id = account), 'gone');
end
$$;

revoke all on function checkpost.caller_state(uuid, text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.caller_state(uuid, text) to authenticator;
