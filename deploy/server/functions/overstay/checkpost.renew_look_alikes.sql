-- A word about a pair ends a doubt of an open alert, or begins one: what looks alike is asked again for these passages, without waiting for
-- the next round.
-- Called by judge_vehicles and undo_pair_change.
create or replace function checkpost.renew_look_alikes(one uuid, other uuid) returns void
    language sql security definer set search_path = '' as $$
    update public.proactive_overstay_alerts a set doubts = n.doubts
    from (select p.id, coalesce((select jsonb_agg(d) from jsonb_array_elements(o.doubts) d where d ->> 'kind' <> 'looks_alike'), '[]')
            || checkpost.look_alikes(p) as doubts
        from public.vehicle_passages p join public.proactive_overstay_alerts o on o.entry_passage_id = p.id
        where p.id in (one, other) and not o.resolved) n
    where a.entry_passage_id = n.id and a.doubts <> n.doubts
$$;

revoke all on function checkpost.renew_look_alikes(uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
