-- What a ranger may change about an outcome, and what nobody may pretend. A warden comes here through put_outcome alone.
-- Called by the trigger b_outcome of violation_outcomes.
create or replace function checkpost.on_outcome_change() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if not checkpost.is_client() or checkpost.is_warden() then return new; end if;
    if tg_op = 'INSERT' then
        new.created_at := now();
    elsif (new.id, new.violation_id, new.recorded_by, new.recorded_at, new.created_at)
        is distinct from (old.id, old.violation_id, old.recorded_by, old.recorded_at, old.created_at) then
        raise exception 'an outcome keeps its violation, its author and its time'
            using errcode = '42501', hint = 'Change only outcome_type, fine_amount, notes and acted_by.';
    end if;
    return new;
end
$$;

revoke all on function checkpost.on_outcome_change()
    from public, anon, authenticated, service_role, authenticator;
