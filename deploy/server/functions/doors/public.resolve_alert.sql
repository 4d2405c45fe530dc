-- Another door to checkpost.resolve_alert, where Supabase's REST interface finds it (/rest/v1/rpc/resolve_alert). A single argument without
-- a name is the whole body.
-- Called by clients.
create or replace function public.resolve_alert(jsonb) returns jsonb
    language sql volatile set search_path = '' as $$ select checkpost.resolve_alert($1) $$;

revoke all on function public.resolve_alert(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.resolve_alert(jsonb) to authenticated, service_role;
