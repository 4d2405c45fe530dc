-- Writers no longer wait for each other: one lock for a plate on a segment instead of one for everything, and numbers that readers are
-- shown in order. Decision note 0163 says why this is right.
--
-- A transaction that is about to draw its first number locks, shared, a key that holds the highest number drawn so far, and notes the
-- same in recent_writers, which is seen once it has committed. All its numbers are higher. A reader is shown the numbers up to the lowest
-- that any transaction holds which its snapshot doesn't see: those that run are in pg_locks, those that ended after the snapshot was
-- taken are in recent_writers. It looks at the locks first: what has let go of its lock by then has committed, and is in the table.

-- Of no use after a crash, when nobody is writing: so it costs no log. check_overstay empties it.
create unlogged table checkpost.recent_writers (
    writer xid8 primary key,
    low bigint not null
);

create or replace function checkpost.next_number() returns bigint
    language plpgsql security definer set search_path = '' as $$
declare
    me xid8 := pg_current_xact_id();
    low_number bigint;
begin
    if coalesce(current_setting('checkpost.numbering', true), '') <> me::text then
        -- A frozen snapshot would match against rows as they were: two passages that arrive together would miss each other.
        if current_setting('transaction_isolation') <> 'read committed' then
            raise exception 'rows are written in read committed transactions' using errcode = '25001';
        end if;
        select case when s.is_called then s.last_value else s.last_value - 1 end into low_number from public.server_seq s;
        perform pg_advisory_xact_lock_shared((7215::bigint << 48) | low_number);
        insert into checkpost.recent_writers (writer, low) values (me, low_number) on conflict do nothing;
        perform set_config('checkpost.numbering', me::text, true);
    end if;
    return nextval('public.server_seq');
end
$$;

-- The highest number that a reader with this snapshot may be shown. A transaction that writes sees everything: it reads what it changes.
create function checkpost.number_horizon(seen pg_snapshot) returns bigint
    language plpgsql volatile parallel restricted security definer set search_path = '' as $$
declare
    running bigint;
    ended bigint;
begin
    if pg_current_xact_id_if_assigned() is not null or pg_is_in_recovery() then return 9223372036854775807; end if;
    select min(((l.classid::bigint & 65535) << 32) | l.objid::bigint) into running from pg_locks l
        where l.locktype = 'advisory' and l.objsubid = 1 and l.classid::bigint >> 16 = 7215
            and l.database = (select d.oid from pg_database d where d.datname = current_database());
    select min(w.low) into ended from checkpost.recent_writers w
        where w.writer >= pg_snapshot_xmin(seen) and not pg_visible_in_snapshot(w.writer, seen);
    return coalesce(least(running, ended), 9223372036854775807);
end
$$;

create or replace function checkpost.on_row_number() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    -- An update that changes nothing is no news to a reader.
    if tg_op = 'UPDATE' and new is not distinct from old then return new; end if;
    new.server_seq := checkpost.next_number();
    return new;
end
$$;

-- A statement that writes is known for a writer before it looks for its rows.
create function checkpost.on_statement_write() returns trigger
    language plpgsql set search_path = '' as $$
begin
    perform pg_current_xact_id();
    return null;
end
$$;

do $$
declare
    name text;
begin
    for name in select t.tgrelid::regclass::text from pg_trigger t where t.tgname = 'z_number' loop
        execute format('drop trigger if exists a_lock on %s', name);
        execute format('create trigger a_writer before insert or update or delete on %s
            for each statement execute function checkpost.on_statement_write()', name);
        execute format('create policy in_order on %s as restrictive for select to authenticated
            using (server_seq <= (select checkpost.number_horizon(pg_current_snapshot())))', name);
    end loop;
end
$$;

-- Functions of before call it. Nobody needs the whole server to stand still any more.
create or replace function checkpost.lock_writes() returns void
    language sql volatile as $$ select $$;

-- Locks a name to the end of the transaction. One that holds a thousand (an import) takes the one lock instead that all others share.
create function checkpost.lock_name(kind integer, name text) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    held integer := coalesce(nullif(current_setting('checkpost.names_locked', true), ''), '0')::integer;
begin
    if held > 1000 then return; end if;
    perform set_config('checkpost.names_locked', (held + 1)::text, true);
    if held = 1000 then
        perform pg_advisory_xact_lock(7216, 0);
    else
        if held = 0 then perform pg_advisory_xact_lock_shared(7216, 0); end if;
        perform pg_advisory_xact_lock(kind, hashtext(name));
    end if;
end
$$;

-- Held from before the search for a partner to the commit: of two passages that arrive together the second one sees the first.
create function checkpost.lock_plate(segment uuid, plate text) returns void
    language sql volatile security definer set search_path = '' as $$
    select checkpost.lock_name(7217, segment::text || ' ' || checkpost.compact_plate(plate))
$$;

-- Two at once, in one order.
create function checkpost.lock_plates(old public.vehicle_passages, new public.vehicle_passages) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    name text;
begin
    for name in
        select n from (values (old.segment_id::text || ' ' || checkpost.compact_plate(old.plate_number)),
            (new.segment_id::text || ' ' || checkpost.compact_plate(new.plate_number))) v (n) group by n order by hashtext(n)
    loop
        perform checkpost.lock_name(7217, name);
    end loop;
end
$$;

-- Held while a text and its upload look for each other. Only the post's own transactions meet here, and a batch that is sent again
-- has the order that it had.
create function checkpost.lock_arrival(post uuid, plate text, moment timestamptz) returns void
    language sql volatile security definer set search_path = '' as $$
    select checkpost.lock_name(7218, post::text || ' ' || extract(epoch from date_trunc('second', moment))::bigint)
$$;

-- Passages whose partner somebody held when they came; the next round matches them.
create table checkpost.skipped_matches (
    passage_id uuid primary key references public.vehicle_passages on delete cascade
);

create or replace function checkpost.match_passage_by_id(passage_id uuid) returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    passage public.vehicle_passages;
    partner uuid;
    span interval := checkpost.window_length();
begin
    select p.* into passage from public.vehicle_passages p where p.id = passage_id;
    if not found then return false; end if;
    perform checkpost.lock_plate(passage.segment_id, passage.plate_number);
    select p.* into passage from public.vehicle_passages p
        where p.id = passage_id and p.matched_passage_id is null and checkpost.is_whole_plate(p.plate_number)
        for no key update skip locked;
    if not found then return false; end if;
    -- Nearest in time; of equal distances the earlier, of equal times the smaller client_id.
    select p.id into partner from public.vehicle_passages p
        where p.segment_id = passage.segment_id and p.checkpost_id <> passage.checkpost_id
            and checkpost.compact_plate(p.plate_number) = checkpost.compact_plate(passage.plate_number)
            and p.matched_passage_id is null
            and p.recorded_at between passage.recorded_at - span and passage.recorded_at + span
        order by abs(extract(epoch from p.recorded_at - passage.recorded_at)), p.recorded_at, p.client_id
        limit 1 for no key update skip locked;
    if found then
        perform checkpost.link_passages(passage.id, partner);
        return true;
    end if;
    insert into checkpost.skipped_matches (passage_id)
    select passage.id where exists (select from public.vehicle_passages p
        where p.segment_id = passage.segment_id and p.checkpost_id <> passage.checkpost_id
            and checkpost.compact_plate(p.plate_number) = checkpost.compact_plate(passage.plate_number)
            and p.matched_passage_id is null
            and p.recorded_at between passage.recorded_at - span and passage.recorded_at + span)
    on conflict do nothing;
    return false;
end
$$;

-- For the statement and not for each row: a batch locks its plates in one order, whatever its own.
create or replace function checkpost.on_passage_match() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    name text;
    passage uuid;
begin
    for name in
        select n from (select i.segment_id::text || ' ' || checkpost.compact_plate(i.plate_number) as n from inserted i) v
        group by n order by hashtext(n)
    loop
        perform checkpost.lock_name(7217, name);
    end loop;
    for passage in select i.id from inserted i order by i.server_seq loop
        perform checkpost.match_passage_by_id(passage);
    end loop;
    return null;
end
$$;
drop trigger m_match on public.vehicle_passages;
create trigger m_match after insert on public.vehicle_passages referencing new table as inserted
    for each statement execute function checkpost.on_passage_match();

create function checkpost.on_passage_facts_lock() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform checkpost.lock_plates(old, new);
    return new;
end
$$;
-- Before the row itself is locked anew, and before the search.
create trigger a_plates before update of plate_number, recorded_at, checkpost_id, segment_id, clock_state
    on public.vehicle_passages for each row
    when ((old.plate_number, old.recorded_at, old.checkpost_id, old.segment_id, old.clock_state)
        is distinct from (new.plate_number, new.recorded_at, new.checkpost_id, new.segment_id, new.clock_state))
    execute function checkpost.on_passage_facts_lock();

-- A text and its upload that arrive together find each other. The name sorts before b_insert, which looks.
create function checkpost.on_passage_arrival() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform checkpost.lock_arrival(new.checkpost_id, new.plate_number, new.recorded_at);
    return new;
end
$$;
create trigger a_zz_arrival before insert on public.vehicle_passages
    for each row execute function checkpost.on_passage_arrival();

alter function checkpost.record_sms(text) rename to record_arrived_sms;
create function checkpost.record_sms(message text) returns jsonb
    language plpgsql security definer set search_path = '' as $$
begin
    if checkpost.sms_problem(message) is null then
        perform checkpost.lock_arrival(p.id, split_part(message, '|', 3),
                to_timestamp(split_part(message, '|', 5)::double precision))
            from public.checkposts p where p.code = split_part(message, '|', 2);
    end if;
    return checkpost.record_arrived_sms(message);
end
$$;

-- `match-passage`, as before: the plate is locked before the rows, as everywhere.
create or replace function checkpost.match_passage(entry_passage_id uuid, exit_passage_id uuid) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    answer jsonb;
begin
    perform checkpost.lock_plate(p.segment_id, p.plate_number) from public.vehicle_passages p where p.id = entry_passage_id;
    answer := checkpost.match_any_time(entry_passage_id, exit_passage_id);
    if (select max(p.recorded_at) - min(p.recorded_at) > checkpost.window_length() from public.vehicle_passages p
        where p.id in (entry_passage_id, exit_passage_id)) then
        raise exception 'the passages are further apart than the matching window' using errcode = 'PT422';
    end if;
    if exists (select from public.vehicle_passages p where p.id = entry_passage_id
        and not checkpost.is_whole_plate(p.plate_number)) then
        raise exception 'the plates were read in part' using errcode = 'PT422';
    end if;
    return answer;
end
$$;

-- The plate before the row, as everywhere; the rest is as it was.
alter function checkpost.change_passage(jsonb) rename to change_locked_passage;
create function checkpost.change_passage(change jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    passage public.vehicle_passages;
    changed public.vehicle_passages;
begin
    select p.* into passage from public.vehicle_passages p
        where p.client_id = (change ->> 'client_id')::uuid or p.sms_client_id = (change ->> 'sms_client_id')::uuid
        order by p.client_id = (change ->> 'client_id')::uuid desc limit 1;
    if found then
        changed := passage;
        changed.plate_number := coalesce(change ->> 'plate_number', passage.plate_number);
        perform checkpost.lock_plates(passage, changed);
    end if;
    return checkpost.change_locked_passage(change);
end
$$;

-- Matches what was skipped. Returns how many pairs it linked.
create or replace function checkpost.match_leftovers() returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    passage uuid;
    linked integer := 0;
begin
    for passage in select s.passage_id from checkpost.skipped_matches s order by s.passage_id limit 200 loop
        delete from checkpost.skipped_matches s where s.passage_id = passage;
        if checkpost.match_passage_by_id(passage) then linked := linked + 1; end if;
    end loop;
    return linked;
end
$$;

-- One small step: at most so many alerts, of passages past the longest time and no older than a month beyond it. Each is a transaction of
-- its own; whoever gets as many as were asked for asks again. Rows that somebody is matching are left to the next step.
create function checkpost.check_overstay(at_most integer) returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    road public.highway_segments;
    made integer;
    total integer := 0;
begin
    perform checkpost.match_leftovers();
    for road in select s.* from public.highway_segments s order by s.id loop
        with due as (
            select p.id, p.plate_number, p.vehicle_type, p.recorded_at from public.vehicle_passages p
            where p.segment_id = road.id and p.matched_passage_id is null and p.clock_state is distinct from 'untrusted'
                and p.recorded_at < now() - checkpost.longest_time(road)
                and p.recorded_at >= now() - checkpost.longest_time(road) - interval '30 days'
                and not exists (select from public.proactive_overstay_alerts a where a.entry_passage_id = p.id)
            order by p.recorded_at limit at_most - total for no key update of p skip locked
        )
        insert into public.proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type, entry_time,
            expected_exit_by)
        select d.id, road.id, d.plate_number, d.vehicle_type, d.recorded_at, d.recorded_at + checkpost.longest_time(road)
        from due d on conflict (entry_passage_id) do nothing;
        get diagnostics made = row_count;
        total := total + made;
        exit when total >= at_most;
    end loop;
    return total;
end
$$;

-- The last step of a round tidies up.
create or replace function checkpost.check_overstay() returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    made integer := checkpost.check_overstay(500);
begin
    if made < 500 then
        perform checkpost.drop_old_logs();
        delete from checkpost.recent_writers w
            where w.writer < pg_snapshot_xmin(pg_current_snapshot()) or w.writer > pg_current_xact_id();
    end if;
    return made;
end
$$;

revoke all on checkpost.recent_writers, checkpost.skipped_matches from public, anon, authenticated, service_role;
revoke all on function checkpost.next_number(), checkpost.number_horizon(pg_snapshot), checkpost.on_statement_write(),
    checkpost.lock_name(integer, text), checkpost.lock_plate(uuid, text), checkpost.lock_arrival(uuid, text, timestamptz),
    checkpost.lock_plates(public.vehicle_passages, public.vehicle_passages), checkpost.on_passage_facts_lock(),
    checkpost.on_passage_arrival(), checkpost.record_arrived_sms(text), checkpost.record_sms(text),
    checkpost.change_locked_passage(jsonb), checkpost.change_passage(jsonb), checkpost.check_overstay(integer)
    from public, anon, authenticated, service_role;
grant execute on function checkpost.number_horizon(pg_snapshot) to authenticated;
grant execute on function checkpost.change_passage(jsonb) to authenticated, service_role;
grant execute on function checkpost.check_overstay(integer) to service_role;
