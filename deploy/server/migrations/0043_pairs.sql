-- The pairs of a plate follow from its passages alone (decision note 0280), so matched passages are looked at as well as open ones.
drop index public.vehicle_passages_open_plates;
create index vehicle_passages_plate_time on public.vehicle_passages (checkpost.compact_plate(plate_number), recorded_at);

-- What is deleted is worked out anew for the statement: many plates are locked in one order.
drop trigger z_partner on public.vehicle_passages;
create trigger z_partner after delete on public.vehicle_passages referencing old table as removed
    for each statement execute function checkpost.on_passage_delete();
