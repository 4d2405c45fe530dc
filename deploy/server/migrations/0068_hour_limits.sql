-- What holds on a road at some hours of the day alone, as clocks in Nepal show it: [{"from": "22:00", "until": "05:00", "type": "truck",
-- "kmh": 30}]. Without a type it is for all; without kmh the road is closed. Decision note 0336.
alter table public.highway_segments add column hour_limits jsonb not null default '[]';
