-- What stands behind a name in the text of an entry; null where it has no such line, or says none.
-- Called by add_evidence and store_evidence.
create or replace function checkpost.evidence_line(entry text, name text) returns text
    language sql immutable set search_path = '' as $$
    select nullif(substring(entry from '(?n)^' || name || ': (.*)$'), 'none')
$$;

revoke all on function checkpost.evidence_line(text, text)
    from public, anon, authenticated, service_role, authenticator;
