-- How long a policy, {"passages": days, …}, keeps a kind; null for ever. Never shorter than the posts need it: they compare the last 90 days of
-- passages, and ask for changes since the last one that they know.
-- Called by due_removals and remove_old.
create or replace function checkpost.kept_for(policy jsonb, kind text) returns interval
    language sql immutable set search_path = '' as $$
    select case when (policy ->> kind)::integer > 0 then make_interval(days => greatest((policy ->> kind)::integer,
        case kind when 'passages' then 100 when 'violations' then 100 when 'changes' then 400 else 7 end)) end
$$;

revoke all on function checkpost.kept_for(jsonb, text)
    from public, anon, authenticated, service_role, authenticator;
