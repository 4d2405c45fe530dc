-- The segment whose post a chain of evidence is of.
-- Called by policies of evidence_entries and evidence_forks.
create or replace function checkpost.chain_segment(wanted uuid) returns uuid
    language sql stable security definer set search_path = '' as $$
    select c.segment_id from public.evidence_chains e join public.checkposts c on c.id = e.checkpost_id
    where e.chain = wanted
$$;

revoke all on function checkpost.chain_segment(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.chain_segment(uuid) to authenticated, service_role;
