-- The word of a warden about what somebody else changed: {id, key, verdict, reason?, acted_by?}, `key` as unchecked_changes gives it. `right` keeps
-- it and says who looked. `back` gives a passage back the plate that it had before all that nobody looked at (a post corrects nothing else); an outcome is put right by
-- put_outcome, and what was withdrawn stays so. Answers {changed, reason?}; sent again it changes nothing. For wardens and admins. Decision
-- note 0329.
-- Called by the gateway.
create or replace function checkpost.check_change(word jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    subject text := split_part(coalesce(word ->> 'key', ''), ':', 1);
    named text := split_part(coalesce(word ->> 'key', ''), ':', 2);
    why text := left(btrim(coalesce(word ->> 'reason', '')), 1000);
    verdict text := coalesce(word ->> 'verdict', '');
    correction public.passage_changes;
    first public.passage_changes;
    outcome public.outcome_changes;
    passage public.vehicle_passages;
    before public.vehicle_passages;
    answer jsonb;
    me uuid := (select u.id from public.user_profiles u where u.id = auth.uid());
begin
    if checkpost.is_client() and not checkpost.is_warden() then
        raise exception 'only a warden looks at what others changed' using errcode = 'PT403';
    end if;
    if word ->> 'id' is null or subject not in ('passage', 'outcome') or verdict not in ('right', 'back')
        or verdict = 'back' and (subject <> 'passage' or why = '') then
        raise exception 'id, key and verdict are needed, and a reason for what goes back' using errcode = 'PT400';
    end if;
    if subject = 'passage' then
        select c.* into correction from public.passage_changes c where c.id = named::uuid;
        -- The plates before anything else, as everywhere: whoever corrects it meanwhile comes first or waits.
        select p.* into passage from public.vehicle_passages p where p.id = correction.passage_id;
        first := checkpost.first_unseen(correction);
        if passage.id is not null and first.id is not null then
            before := passage;
            before.plate_number := first.old_plate_number;
            perform checkpost.lock_plates(passage, before);
        end if;
    else
        select c.* into outcome from public.outcome_changes c where c.id = named::bigint;
        perform from public.violation_outcomes o where o.violation_id = outcome.violation_id for update;
    end if;
    if exists (select from public.change_approvals a where a.id = (word ->> 'id')::uuid)
        or exists (select from public.passage_changes c where c.id = (word ->> 'id')::uuid) then
        return jsonb_build_object('changed', false, 'reason', 'it was made before');
    end if;
    -- It was changed again, somebody looked at it, or it is not known any more, or no ranger's.
    if correction.id is null and outcome.id is null or correction.id is not null and (first.id is null or not checkpost.is_word(correction))
        or exists (select from public.passage_changes c
            where (c.client_id = correction.client_id or c.passage_id = correction.passage_id) and c.made > correction.made
                and checkpost.is_word(c))
        or exists (select from public.outcome_changes c where c.violation_id = outcome.violation_id and c.id > outcome.id)
        or exists (select from public.change_approvals a where a.passage_change_id = correction.id or a.outcome_change_id = outcome.id)
        or verdict = 'back' and (correction.kind <> 'corrected' or passage.id is null) then
        raise exception 'it is decided already' using errcode = 'PT409', detail = 'error_gone';
    end if;
    if coalesce(correction.changed_by, outcome.changed_by) = me then
        raise exception 'nobody looks at what they changed themselves' using errcode = 'PT409', detail = 'error_own_change';
    end if;

    if verdict = 'back' then
        answer := checkpost.change_passage(jsonb_build_object('id', word ->> 'id', 'client_id', passage.client_id,
            'plate_number', first.old_plate_number, 'reason', why, 'acted_by', word ->> 'acted_by', 'changed_at', now()));
        if not (answer ->> 'changed')::boolean and answer ->> 'reason' <> 'it was made before' then
            raise exception 'it is that already, or gone' using errcode = 'PT409', detail = 'error_gone';
        end if;
        return answer;
    end if;
    insert into public.change_approvals (id, passage_change_id, outcome_change_id, segment_id, acted_by, changed_by)
    values ((word ->> 'id')::uuid, correction.id, outcome.id, coalesce(correction.segment_id, outcome.segment_id),
        left(word ->> 'acted_by', 200), me)
    on conflict do nothing;
    if not found then raise exception 'it is decided already' using errcode = 'PT409', detail = 'error_gone'; end if;
    return jsonb_build_object('changed', true);
end
$$;

revoke all on function checkpost.check_change(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.check_change(jsonb) to authenticated, service_role;
