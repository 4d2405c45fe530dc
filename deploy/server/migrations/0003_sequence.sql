-- server_seq: a number that readers use as a cursor, and that becomes visible in order.
--
-- A sequence hands out its numbers when a row is written, not when it is committed: a reader that remembers the highest
-- number it saw would miss a lower one that is committed later. So every writer of these tables holds one lock from
-- its first statement to its commit (PostgreSQL makes a transaction visible before it lets go of its locks). Numbers are
-- then given in the order of the commits.
--
-- The lock is taken by a trigger for the statement, before any row is locked. It therefore always comes
-- first, which keeps writers free of deadlocks, and it makes the search for a match see everything that was committed before.

create sequence public.server_seq as bigint;

-- Waits until no other transaction writes. Held to the end of the transaction.
create function checkpost.lock_writes() returns void
    language sql volatile as $$ select pg_advisory_xact_lock(7214, 1) $$;

create function checkpost.on_statement_lock() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform checkpost.lock_writes();
    return null;
end
$$;

create function checkpost.on_row_number() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    -- An update that changes nothing is no news to a reader.
    if tg_op = 'UPDATE' and new is not distinct from old then return new; end if;
    new.server_seq := nextval('public.server_seq');
    return new;
end
$$;

create function checkpost.on_row_touch() returns trigger
    language plpgsql as $$
begin
    if new is distinct from old then new.updated_at := now(); end if;
    return new;
end
$$;

do $$
declare
    name text;
begin
    foreach name in array array['highway_segments', 'checkposts', 'vehicle_passages', 'violations',
        'violation_outcomes', 'proactive_overstay_alerts', 'device_settings']
    loop
        execute format('create trigger a_lock before insert or update or delete on public.%I
            for each statement execute function checkpost.on_statement_lock()', name);
        -- Its name sorts last, so that it sees what the other triggers made of the row.
        execute format('create trigger z_number before insert or update on public.%I
            for each row execute function checkpost.on_row_number()', name);
    end loop;
    foreach name in array array['parks', 'highway_segments', 'user_profiles', 'sync_metadata', 'device_settings',
        'server_settings']
    loop
        execute format('create trigger t_touch before update on public.%I
            for each row execute function checkpost.on_row_touch()', name);
    end loop;
end
$$;
