-- Another door to checkpost.check_overstay, where Supabase's REST interface finds it (/rest/v1/rpc/check_overstay). For the service alone:
-- it runs as the owner, since what it calls is nobody's else.
-- Called by edge functions.
create or replace function public.check_overstay() returns jsonb
    language sql volatile security definer set search_path = '' as
    $$ select jsonb_build_object('alerts_created', checkpost.check_overstay()) $$;

revoke all on function public.check_overstay()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.check_overstay() to service_role;
