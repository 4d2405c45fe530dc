-- The pilot: Banke National Park, 45 km between the posts BNP-A and BNP-B, 40 km/h at most and 10 km/h at least,
-- with a tolerance of 3 km/h or 3 %, whichever is more.
-- The ids are fixed, so that a device can be configured before it has reached the server. Running it again changes nothing.

insert into public.parks (id, name, code)
values ('b0000000-0000-4000-8000-000000000001', 'Banke National Park', 'BNP')
on conflict do nothing;

insert into public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh,
    tolerance_kmh, tolerance_percent)
values ('b0000000-0000-4000-8000-000000000002', 'b0000000-0000-4000-8000-000000000001', 'Banke National Park, BNP-A to BNP-B',
    45, 40, 10, 3, 3)
on conflict do nothing;

insert into public.checkposts (id, segment_id, name, code, position_index)
values
    ('b0000000-0000-4000-8000-00000000000a', 'b0000000-0000-4000-8000-000000000002', 'Checkpost A', 'BNP-A', 0),
    ('b0000000-0000-4000-8000-00000000000b', 'b0000000-0000-4000-8000-000000000002', 'Checkpost B', 'BNP-B', 1)
on conflict do nothing;
