-- Another door to checkpost.create_ranger, where Supabase's REST interface finds it (/rest/v1/rpc/create_ranger). A single argument without
-- a name is the whole body.
-- Called by clients.
create or replace function public.create_ranger(jsonb) returns jsonb
    language sql volatile set search_path = '' as $$ select checkpost.create_ranger($1) $$;

revoke all on function public.create_ranger(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.create_ranger(jsonb) to authenticated, service_role;
