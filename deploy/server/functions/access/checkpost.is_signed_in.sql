-- Anyone signed in with an account that is neither deactivated nor banned.
-- Called by change_passage, match_passage, resolve_alert, roads and policies.
create or replace function checkpost.is_signed_in() returns boolean
    language plpgsql stable security definer set search_path = '' as $$
begin
    return exists (
        select from auth.users u left join public.user_profiles p on p.id = u.id
        where u.id = auth.uid() and coalesce(p.is_active, true)
            and coalesce(u.banned_until <= now(), true));
end
$$;

revoke all on function checkpost.is_signed_in()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.is_signed_in() to authenticated, service_role;
