-- Vehicle types whose highest lawful speed is another one than the road's, in km/h: {"truck": 30}. Decision note 0327.
alter table public.highway_segments add column type_speeds_kmh jsonb not null default '{}';
drop trigger b_numbers on public.highway_segments;
create trigger b_numbers before insert or update on public.highway_segments
    for each row execute function checkpost.on_segment_numbers();
