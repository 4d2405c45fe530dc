-- Of the changes of one passage up to this one, the oldest that nobody looked at: what was there before it is what goes back.
-- Called by check_change and unchecked_changes.
create or replace function checkpost.first_unseen(change public.passage_changes) returns public.passage_changes
    language sql stable set search_path = '' as $$
    select d.* from public.passage_changes d
    where (d.client_id = change.client_id or d.passage_id = change.passage_id) and d.made <= change.made and checkpost.is_word(d)
        and not exists (select from public.passage_changes e
            where (e.client_id = change.client_id or e.passage_id = change.passage_id) and e.made between d.made and change.made
                and checkpost.is_word(e) and (not checkpost.is_rangers(e.changed_by)
                    or exists (select from public.change_approvals a where a.passage_change_id = e.id)))
    order by d.made limit 1
$$;

revoke all on function checkpost.first_unseen(public.passage_changes)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.first_unseen(public.passage_changes) to authenticated, service_role;
