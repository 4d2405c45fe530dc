-- Keeps each outcome as it was and as it became, with who changed it.
-- Called by the trigger z_kept of violation_outcomes.
create or replace function checkpost.on_outcome_kept() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
    becomes jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
    whose uuid := coalesce(becomes, was) ->> 'violation_id';
begin
    if checkpost.is_removal() then return null; end if;
    -- A second delivery of the same outcome is none.
    if was - array['server_seq'] = becomes - array['server_seq'] then return null; end if;
    insert into public.outcome_changes (violation_id, segment_id, kind, old_outcome, new_outcome, changed_by, acted_by, reason)
    values (whose,
        -- The outcome of a violation that falls away goes after it.
        coalesce((select v.segment_id from public.violations v where v.id = whose),
            (select w.segment_id from public.withdrawn_violations w where w.id = whose)),
        case tg_op when 'INSERT' then 'recorded' when 'UPDATE' then 'changed' else 'removed' end, was, becomes,
        (select u.id from public.user_profiles u where u.id = auth.uid()), left(becomes ->> 'acted_by', 200),
        case when tg_op = 'DELETE' then checkpost.change_reason() else nullif(current_setting('checkpost.reason', true), '') end);
    return null;
end
$$;

revoke all on function checkpost.on_outcome_kept()
    from public, anon, authenticated, service_role, authenticator;
