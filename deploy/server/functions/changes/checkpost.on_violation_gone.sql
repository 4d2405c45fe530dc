-- Keeps a violation that falls away, with its outcome and both passages as they were. Before the deletion, since the outcome goes with its
-- violation.
-- Called by the trigger b_keep of violations.
create or replace function checkpost.on_violation_gone() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    -- Of a passage that is being corrected the table shows what it becomes.
    was jsonb := nullif(current_setting('checkpost.passage_was', true), '')::jsonb;
begin
    if checkpost.is_removal() then return old; end if;
    insert into public.withdrawn_violations (id, entry_passage_id, exit_passage_id, segment_id, violation, outcome,
        entry_passage, exit_passage, reason, withdrawn_by)
    values (old.id, old.entry_passage_id, old.exit_passage_id, old.segment_id, to_jsonb(old),
        (select to_jsonb(o) from public.violation_outcomes o where o.violation_id = old.id),
        (select case when was ->> 'id' = p.id::text then was else to_jsonb(p) end
            from public.vehicle_passages p where p.id = old.entry_passage_id),
        (select case when was ->> 'id' = p.id::text then was else to_jsonb(p) end
            from public.vehicle_passages p where p.id = old.exit_passage_id),
        checkpost.change_reason(), (select u.id from public.user_profiles u where u.id = auth.uid()))
    on conflict (id) do nothing;
    return old;
end
$$;

revoke all on function checkpost.on_violation_gone()
    from public, anon, authenticated, service_role, authenticator;
