-- Works out the pairs of a plate around a moment, at which a passage came, went or changed, and writes what differs: pairs that fall away
-- first, then the new ones, judged. Returns up to which moment the pairs are right. A passage that loses a partner further away is looked at
-- in the same way. A row that somebody holds by hand must not stop a passage from being recorded: then nothing changes, and one of the
-- passages is noted in skipped_matches for match_leftovers. `no key update` instead of `update`: a reference to the row (an alert) does not
-- count as holding it. Decision note 0163 says in which order locks are taken.
-- Called by match_passage, match_passage_by_id, on_passage_delete, on_passage_facts and on_passage_match.
create or replace function checkpost.match_around(road uuid, plate text, moment timestamptz) returns timestamptz
    language plpgsql security definer set search_path = '' as $$
declare
    reason text := coalesce(current_setting('checkpost.reason', true), '');
    moments timestamptz[] := array[moment];
    turns integer := 0;
    known_from timestamptz;
    known_to timestamptz;
    until timestamptz;
    parted jsonb;
    joined jsonb;
    touched uuid[];
    pair jsonb;
begin
    if not checkpost.is_whole_plate(plate) then return moment; end if;
    perform checkpost.lock_plate(road, plate);
    while cardinality(moments) > 0 and turns < 10 loop
        turns := turns + 1;
        -- Each pair once. A passage that was matched with one beyond the runs leaves it.
        with a as materialized (select * from checkpost.pairs_around(road, checkpost.compact_plate(plate), moments[1]))
        select min(a.recorded_at), max(a.recorded_at),
            jsonb_agg(jsonb_build_array(a.id, a.was)) filter (where a.was is distinct from a.partner and a.was is not null
                and (a.id < a.was or not exists (select from a b where b.id = a.was))),
            jsonb_agg(jsonb_build_array(a.id, a.partner)) filter (where a.was is distinct from a.partner and a.id < a.partner)
        into known_from, known_to, parted, joined from a;
        until := coalesce(until, known_to, moment);
        select array_agg(distinct e::uuid) into touched
            from jsonb_array_elements(coalesce(parted, '[]') || coalesce(joined, '[]')) p, jsonb_array_elements_text(p) e;
        if touched is not null then
            if checkpost.hold_pairs(touched) then
                if reason = '' then
                    perform set_config('checkpost.reason', 'other passages of the vehicle came, and its pairs were worked out anew',
                        true);
                end if;
                for pair in select jsonb_array_elements(coalesce(parted, '[]')) loop
                    perform checkpost.part_passages((pair ->> 0)::uuid, (pair ->> 1)::uuid);
                end loop;
                perform set_config('checkpost.reason', reason, true);
                for pair in select jsonb_array_elements(coalesce(joined, '[]')) loop
                    perform checkpost.link_passages((pair ->> 0)::uuid, (pair ->> 1)::uuid);
                end loop;
                -- Whoever was left beyond the runs may belong to another one there.
                moments := moments || array(select p.recorded_at from public.vehicle_passages p
                    where p.id = any (touched) and p.matched_passage_id is null
                        and p.recorded_at not between known_from and known_to);
            else
                insert into checkpost.skipped_matches (passage_id)
                select p.id from public.vehicle_passages p where p.id = any (touched) for key share skip locked limit 1
                on conflict do nothing;
            end if;
        end if;
        moments := moments[2:];
    end loop;
    return until;
end
$$;

revoke all on function checkpost.match_around(uuid, text, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
