-- The word of a warden about what became of a violation, whenever that is: {violation_id, outcome_type, fine_amount?, notes?, was, reason,
-- acted_by?}. `was` is the number of the newest row of outcome_changes that the warden knew of it, or 0, so that nobody's later word is written
-- over unseen. From then on the outcome is the warden's: the ranger's account can't change it any more, and the posts take it over. Answers
-- {changed, reason?}; sent again it changes nothing. For wardens and admins. Decision note 0329.
-- Called by the gateway.
create or replace function checkpost.put_outcome(word jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    why text := left(btrim(coalesce(word ->> 'reason', '')), 1000);
    whose uuid := (word ->> 'violation_id')::uuid;
    told text := nullif(btrim(word ->> 'notes'), '');
    me uuid := (select u.id from public.user_profiles u where u.id = auth.uid());
    fine numeric(10, 2) := (word ->> 'fine_amount')::numeric;
begin
    if checkpost.is_client() and not checkpost.is_warden() then
        raise exception 'only a warden changes an outcome of any day' using errcode = 'PT403';
    end if;
    if whose is null or word ->> 'outcome_type' is null or word ->> 'was' is null or why = '' then
        raise exception 'violation_id, outcome_type, was and reason are needed' using errcode = 'PT400';
    end if;
    perform from public.violations v where v.id = whose for update;
    if not found then raise exception 'there is no such violation' using errcode = 'PT409', detail = 'error_gone'; end if;
    -- A ranger who changes it at this moment comes first.
    perform from public.violation_outcomes o where o.violation_id = whose for update;
    if exists (select from public.violation_outcomes o where o.violation_id = whose
        and (o.outcome_type, o.fine_amount, o.notes) is not distinct from (word ->> 'outcome_type', fine, told)
        -- The same word of somebody else is another: from now on it is this warden's.
        and o.recorded_by is not distinct from me) then
        return jsonb_build_object('changed', false, 'reason', 'the outcome is this already');
    end if;
    if coalesce((select max(c.id) from public.outcome_changes c where c.violation_id = whose), 0) <> (word ->> 'was')::bigint then
        raise exception 'somebody changed it meanwhile' using errcode = 'PT409', detail = 'error_gone';
    end if;

    perform set_config('checkpost.reason', why, true);
    insert into public.violation_outcomes (violation_id, outcome_type, fine_amount, notes, recorded_by, recorded_at, acted_by)
    values (whose, word ->> 'outcome_type', fine, told, me, now(), left(word ->> 'acted_by', 200))
    on conflict (violation_id) do update set outcome_type = excluded.outcome_type, fine_amount = excluded.fine_amount,
        notes = excluded.notes, recorded_by = excluded.recorded_by, recorded_at = excluded.recorded_at, acted_by = excluded.acted_by;
    perform set_config('checkpost.reason', '', true);
    return jsonb_build_object('changed', true);
end
$$;

revoke all on function checkpost.put_outcome(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.put_outcome(jsonb) to authenticated, service_role;
