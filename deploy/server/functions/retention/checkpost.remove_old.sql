-- One small step of removing what its term is over for, by a policy, {"passages": days, …}: a part of it (`violations`, `passages`, `photos`,
-- `changes`) after a place. Answers where the next one begins; null when the part is done. What goes is counted in `removals`.
-- Called by the gateway's timer and the command `retention`.
create or replace function checkpost.remove_old(policy jsonb, part text, after jsonb, at timestamptz default now()) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    answer jsonb;
    kind text;
begin
    perform set_config('checkpost.removal', 'on', true);
    answer := case part
        when 'violations' then checkpost.remove_old_violations(checkpost.kept_for(policy, 'violations'), after, at)
        when 'passages' then checkpost.remove_old_passages(checkpost.kept_for(policy, 'passages'), checkpost.kept_for(policy, 'violations'),
            after, at)
        when 'photos' then checkpost.remove_old_photos(checkpost.kept_for(policy, 'photos'), checkpost.kept_for(policy, 'compliant_photos'),
            after, at)
        when 'changes' then checkpost.remove_old_changes(checkpost.kept_for(policy, 'changes'), at)
    end;
    foreach kind in array array['passages', 'violations', 'photos', 'changes'] loop
        perform checkpost.note_removed(kind, (answer ->> kind)::bigint, at);
    end loop;
    perform set_config('checkpost.removal', '', true);
    return nullif(answer -> 'next', 'null');
end
$$;

revoke all on function checkpost.remove_old(jsonb, text, jsonb, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.remove_old(jsonb, text, jsonb, timestamp with time zone) to service_role;
