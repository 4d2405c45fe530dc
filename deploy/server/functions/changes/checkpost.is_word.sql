-- Whether a change of a passage was somebody's word. What an upload completes of its text is none, and is kept under the account of its box or under
-- none: it never says another plate, and a post corrects nothing but plates.
-- Called by change_passage, check_change, first_unseen and unchecked_changes.
create or replace function checkpost.is_word(change public.passage_changes) returns boolean
    language sql stable set search_path = '' as $$
    select change.kind <> 'corrected'
        or checkpost.compact_plate(change.old_plate_number) <> checkpost.compact_plate(change.new_plate_number)
        or exists (select from public.user_profiles u where u.id = change.changed_by and u.role <> 'ranger')
$$;

revoke all on function checkpost.is_word(public.passage_changes)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.is_word(public.passage_changes) to authenticated, service_role;
