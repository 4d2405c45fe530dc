-- Counts what went on this day.
-- Called by remove_old.
create or replace function checkpost.note_removed(kind text, number bigint, at timestamptz) returns void
    language sql set search_path = '' as $$
    insert into public.removals (day, kind, count, created_at) select (at at time zone 'UTC')::date, kind, number, at where number > 0
    on conflict on constraint removals_day_kind_key do update set count = removals.count + excluded.count, created_at = excluded.created_at
$$;

revoke all on function checkpost.note_removed(text, bigint, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
