-- Which of two passages is the entry: the earlier one; of equal times that of the post whose code sorts first, byte by byte.
-- Called by judge_vehicles, link_passages and match_passage.
create or replace function checkpost.entry_of(one uuid, other uuid) returns uuid
    language sql stable security definer set search_path = '' as $$
    select p.id from public.vehicle_passages p join public.checkposts c on c.id = p.checkpost_id
    where p.id in (one, other) order by p.recorded_at, c.code collate "C", p.id limit 1
$$;

revoke all on function checkpost.entry_of(uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
