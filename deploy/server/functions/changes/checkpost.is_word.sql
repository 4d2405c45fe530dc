-- Whether a change of a passage was somebody's word. What an upload completes of its text is kept under the account of its box, and has no reason.
-- Called by check_change, first_unseen and unchecked_changes.
create or replace function checkpost.is_word(change public.passage_changes) returns boolean
    language sql stable set search_path = '' as $$
    select not checkpost.is_rangers(change.changed_by) or change.reason is distinct from checkpost.change_reason()
$$;

revoke all on function checkpost.is_word(public.passage_changes)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.is_word(public.passage_changes) to authenticated, service_role;
