-- Open passages whose plate was read in part: few, whatever the table holds. What such a plate may be can't be listed and looked up. The time
-- is compared together with the first column: then no other index of times answers, whatever the planner knows of the table.
create index vehicle_passages_gaps on public.vehicle_passages ((position('?' in plate_number) > 0), recorded_at)
    where matched_passage_id is null and position('?' in plate_number) > 0;
