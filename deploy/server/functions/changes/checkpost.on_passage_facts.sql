-- What follows from a corrected fact: an audit row, and match, violation and alerts anew.
-- Called by the trigger m_facts of vehicle_passages.
create or replace function checkpost.on_passage_facts() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    is_moved boolean := (checkpost.compact_plate(old.plate_number), old.recorded_at, old.checkpost_id, old.segment_id, old.travel)
        is distinct from (checkpost.compact_plate(new.plate_number), new.recorded_at, new.checkpost_id, new.segment_id, new.travel)
        -- A text without proof is in no pair.
        or checkpost.is_unproven_text(old.client_id, old.clock_state) <> checkpost.is_unproven_text(new.client_id, new.clock_state);
    is_trust_changed boolean := coalesce(old.clock_state = 'untrusted', false) <> coalesce(new.clock_state = 'untrusted', false);
    -- Where the type has a limit of its own.
    is_limit_changed boolean := old.vehicle_type is distinct from new.vehicle_type and exists (
        select from public.highway_segments s join public.vehicle_passages q on q.id = new.matched_passage_id
        where s.id = new.segment_id and case when new.is_entry
            then checkpost.highest_speed(old, q, s) <> checkpost.highest_speed(new, q, s)
            else checkpost.highest_speed(q, old, s) <> checkpost.highest_speed(q, new, s) end)
        -- Who was too slow was not too fast: the lowest speed is one for all, and an outcome stays.
        and not exists (select from public.violations v
            where new.id in (v.entry_passage_id, v.exit_passage_id) and v.violation_type = 'overstay');
    person public.user_profiles;
    passage public.vehicle_passages;
    entry public.vehicle_passages;
begin
    -- `change-passage` writes its own row, under the id that the device gave it.
    if coalesce(current_setting('checkpost.audited', true), '') <> new.id::text then
        select * into person from public.user_profiles u where u.id = auth.uid();
        insert into public.passage_changes (id, client_id, passage_id, checkpost_id, segment_id, kind, old_plate_number,
            new_plate_number, reason, acted_by, changed_by, changed_at, old_passage, old_violation, new_passage)
        values (gen_random_uuid(), new.client_id, new.id, new.checkpost_id, new.segment_id, 'corrected', old.plate_number,
            new.plate_number, checkpost.change_reason(), person.full_name, person.id, now(), to_jsonb(old),
            (select to_jsonb(v) from public.violations v where new.id in (v.entry_passage_id, v.exit_passage_id)),
            to_jsonb(new));
    end if;

    perform set_config('checkpost.passage_was', to_jsonb(old)::text, true);
    if is_moved then
        -- What was matched in between, by a trigger that ran before, is taken back too.
        select * into passage from public.vehicle_passages p where p.id = new.id;
        perform checkpost.unlink_passage(passage);
        perform checkpost.match_around(old.segment_id, old.plate_number, old.recorded_at);
        perform checkpost.match_passage_by_id(new.id);
        if passage.matched_passage_id is not null then
            perform checkpost.match_passage_by_id(passage.matched_passage_id);
        end if;
    elsif new.matched_passage_id is not null and (is_trust_changed or is_limit_changed) then
        delete from public.violations v where new.id in (v.entry_passage_id, v.exit_passage_id);
        select * into entry from public.vehicle_passages p where p.id in (new.id, new.matched_passage_id) and p.is_entry;
        select * into passage from public.vehicle_passages p where p.id in (new.id, new.matched_passage_id) and not p.is_entry;
        perform checkpost.judge_pair(entry, passage);
    elsif is_trust_changed then
        -- A time that nobody trusts has no deadline; one that is trusted again gets an alert when it is due.
        delete from public.proactive_overstay_alerts where entry_passage_id = new.id and not resolved;
    end if;
    perform set_config('checkpost.passage_was', '', true);
    -- Where it decides nothing, the violation shows it all the same.
    update public.violations set vehicle_type = new.vehicle_type
        where entry_passage_id = new.id and vehicle_type <> new.vehicle_type;
    return null;
end
$$;

revoke all on function checkpost.on_passage_facts()
    from public, anon, authenticated, service_role, authenticator;
