-- Whether this transaction removes what its term is over for: then nothing is kept of what goes, and nothing follows from it.
-- Called by on_outcome_kept, on_passage_delete, on_passage_gone and on_violation_gone.
create or replace function checkpost.is_removal() returns boolean
    language sql stable set search_path = '' as $$
    select coalesce(current_setting('checkpost.removal', true), '') = 'on'
$$;

revoke all on function checkpost.is_removal()
    from public, anon, authenticated, service_role, authenticator;
