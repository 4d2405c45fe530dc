-- Which way a vehicle went past its post, as its camera saw it: it came onto the road (entering) or left it (leaving). Null where nobody
-- knows: a post without that setting, a text, a box of an older version. What has left begins no drive along the road and what has entered
-- ends none: pairs_around, look_alikes and raise_overstay_alerts say so. Decision notes 0300 and 0301.
alter table public.vehicle_passages
    add column travel text constraint vehicle_passages_travel_check check (travel in ('entering', 'leaving'));

-- A direction that a camera told wrongly can be taken back, as a time or a type can.
grant update (travel) on public.vehicle_passages to authenticated, service_role;

-- As before, for this column too. The upload behind a text brings it together with its client_id; that is no correction.
drop trigger a_plates on public.vehicle_passages;
create trigger a_plates before update of plate_number, recorded_at, checkpost_id, segment_id, clock_state, travel
    on public.vehicle_passages for each row
    when ((old.plate_number, old.recorded_at, old.checkpost_id, old.segment_id, old.clock_state, old.travel)
        is distinct from (new.plate_number, new.recorded_at, new.checkpost_id, new.segment_id, new.clock_state, new.travel))
    execute function checkpost.on_passage_facts_lock();
drop trigger m_facts on public.vehicle_passages;
create trigger m_facts after update of plate_number, recorded_at, checkpost_id, segment_id, clock_state, vehicle_type, travel
    on public.vehicle_passages for each row
    when ((old.plate_number, old.recorded_at, old.checkpost_id, old.segment_id, old.vehicle_type)
            is distinct from (new.plate_number, new.recorded_at, new.checkpost_id, new.segment_id, new.vehicle_type)
        or (old.clock_state is distinct from new.clock_state and (old.clock_state is not null or new.clock_state = 'untrusted'))
        or (old.travel is distinct from new.travel and (old.travel is not null or old.client_id = new.client_id)))
    execute function checkpost.on_passage_facts();
