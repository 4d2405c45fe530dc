-- Another door to checkpost.change_passage, where Supabase's REST interface finds it (/rest/v1/rpc/change_passage). A single argument
-- without a name is the whole body.
-- Called by clients.
create or replace function public.change_passage(jsonb) returns jsonb
    language sql volatile set search_path = '' as $$ select checkpost.change_passage($1) $$;

revoke all on function public.change_passage(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.change_passage(jsonb) to authenticated, service_role;
