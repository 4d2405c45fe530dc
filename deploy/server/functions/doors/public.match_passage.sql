-- Another door to checkpost.match_passage, where Supabase's REST interface finds it (/rest/v1/rpc/match_passage). Errors with SQLSTATE
-- PTnnn are answered with status nnn there, too.
-- Called by clients.
create or replace function public.match_passage(entry_passage_id uuid, exit_passage_id uuid) returns jsonb
    language sql volatile set search_path = '' as $$ select checkpost.match_passage($1, $2) $$;

revoke all on function public.match_passage(uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.match_passage(uuid, uuid) to authenticated, service_role;
