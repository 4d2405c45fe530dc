-- The key that an entry has to be signed with: what the last one before it names, or where none does the first that is named; null
-- before any is.
-- Called by store_evidence.
create or replace function checkpost.key_in_force(wanted uuid, at_number bigint) returns text
    language sql stable set search_path = '' as $$
    select coalesce(
        (select e.named_key from public.evidence_entries e
            where e.chain = wanted and e.number < at_number and e.named_key is not null order by e.number desc limit 1),
        (select e.named_key from public.evidence_entries e
            where e.chain = wanted and e.named_key is not null order by e.number limit 1))
$$;

revoke all on function checkpost.key_in_force(uuid, bigint)
    from public, anon, authenticated, service_role, authenticator;
