-- Removes up to a thousand of each kind of change whose term is over, of what is not here any more. Answers {next, changes}; `next` is there while
-- some may be left. The last deletion of a segment stays: the posts know it again.
-- Called by remove_old.
create or replace function checkpost.remove_old_changes(term interval, at timestamptz) returns jsonb
    language plpgsql set search_path = '' as $$
declare
    source record;
    gone bigint;
    total bigint := 0;
begin
    for source in select * from checkpost.old_changes() loop
        execute format('delete from public.%1$I where ctid = any (array(select c.ctid from public.%1$I c where c.%2$I < $1 and %3$s limit 1000))',
            source.name, source.moment, source.condition) using at - term;
        get diagnostics gone = row_count;
        total := total + gone;
    end loop;
    return jsonb_build_object('changes', total, 'next', case when total > 0 then '{}'::jsonb end);
end
$$;

revoke all on function checkpost.remove_old_changes(interval, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
