-- The highest number that a reader with this snapshot may be shown. A transaction that writes sees everything: it reads what it changes. It
-- looks at the locks first: what has let go of its lock by then has committed, and is in recent_writers.
-- Called by reference_mark, settled_number and policies.
create or replace function checkpost.number_horizon(seen pg_snapshot) returns bigint
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

revoke all on function checkpost.number_horizon(pg_snapshot)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.number_horizon(pg_snapshot) to authenticated;
