-- Why this transaction changes what it changes, as whoever changes has set it.
-- Called by on_outcome_kept, on_passage_facts, on_passage_gone, on_passage_stored, on_road_kept, on_settings_kept and
-- on_violation_gone.
create or replace function checkpost.change_reason() returns text
    language sql stable set search_path = '' as $$
    select coalesce(nullif(current_setting('checkpost.reason', true), ''), 'changed directly, no reason was given')
$$;

revoke all on function checkpost.change_reason()
    from public, anon, authenticated, service_role, authenticator;
