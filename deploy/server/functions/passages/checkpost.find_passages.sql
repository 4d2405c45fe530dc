-- The ids of the passages that a list shows, the newest first, at most 200: {part?, alike?, plate?, segment?, checkpost?, type?, state?,
-- since?, until?, before?: {time, id}, limit}. `part` is any part of a plate (`alike`: or what looks like it), `plate` a whole one; `state`
-- is matched, unmatched, inside or violation; times are microseconds since 1970. A ranger finds those of the own segment, an admin, warden or auditor all,
-- anybody else none.
-- It looks as the tables' owner, since an index on parts of plates is of no use behind row level security, and gives ids alone: who reads the
-- rows does it with the own rights. Decision note 0220 says more.
-- Called by the gateway.
create or replace function checkpost.find_passages(filter jsonb) returns setof uuid
    language plpgsql stable security definer set search_path = '' as $$
declare
    road uuid := filter ->> 'segment';
    part text := regexp_replace(upper(filter ->> 'part'), '[^[:alnum:]]', '', 'g');
    epoch constant timestamptz := 'epoch';
    micro constant interval := interval '1 microsecond';
begin
    if not checkpost.reads_all() then
        if checkpost.my_segment() is null or road <> checkpost.my_segment() then return; end if;
        road := checkpost.my_segment();
    end if;
    -- Planned with the values: how rare a part of a plate is decides which index is the right one.
    return query execute 'select p.id from public.vehicle_passages p where true'
        || case when road is not null then ' and p.segment_id = $1' else '' end
        -- Over all roads each passage once, unless it is asked how it stands: that is so on each road.
        || case when road is null and not filter ?| array['checkpost', 'state'] then ' and p.copy_of is null' else '' end
        || case when filter ? 'checkpost' then ' and p.checkpost_id = $2' else '' end
        || case when filter ? 'type' then ' and p.vehicle_type = $3' else '' end
        || case when part <> '' and (filter ->> 'alike')::boolean
            then ' and checkpost.compact_plate(p.plate_number) ~ checkpost.alike_pattern($4)'
            when part <> '' then ' and checkpost.compact_plate(p.plate_number) like ''%'' || $4 || ''%''' else '' end
        || case when filter ? 'plate' then ' and checkpost.compact_plate(p.plate_number) = $5
            and p.checkpost_id = any (array(select c.id from public.checkposts c))' else '' end
        || case when filter ? 'since' then ' and p.recorded_at >= $6' else '' end
        || case when filter ? 'until' then ' and p.recorded_at < $7' else '' end
        || case when filter ? 'before' then ' and (p.recorded_at, p.id) < ($8, $9)' else '' end
        || case filter ->> 'state' when 'matched' then ' and p.matched_passage_id is not null'
            when 'unmatched' then ' and p.matched_passage_id is null'
            when 'inside' then ' and p.matched_passage_id is null and p.recorded_at <= now()
                and p.recorded_at > checkpost.inside_since(p.segment_id) and p.travel is distinct from ''leaving'''
            when 'violation' then ' and p.matched_passage_id is not null and exists (select from public.violations v
                where p.id in (v.entry_passage_id, v.exit_passage_id))' else '' end
        || ' order by p.recorded_at desc, p.id desc limit $10'
        using road, (filter ->> 'checkpost')::uuid, filter ->> 'type', part, checkpost.compact_plate(filter ->> 'plate'),
            epoch + (filter ->> 'since')::bigint * micro, epoch + (filter ->> 'until')::bigint * micro,
            epoch + (filter #>> '{before,time}')::bigint * micro, (filter #>> '{before,id}')::uuid,
            least(greatest((filter ->> 'limit')::integer, 1), 200);
end
$$;

revoke all on function checkpost.find_passages(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.find_passages(jsonb) to authenticated, service_role;
