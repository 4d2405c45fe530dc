-- Looks at the next thousand violations after a place, {at, id}, whose term is over, and removes those that may go. Answers {next, violations}.
-- Called by remove_old.
create or replace function checkpost.remove_old_violations(term interval, after jsonb, at timestamptz) returns jsonb
    language plpgsql set search_path = '' as $$
declare
    last record;
    gone bigint;
    since timestamptz := coalesce((after ->> 'at')::timestamptz, '-infinity');
    since_id uuid := coalesce((after ->> 'id')::uuid, '00000000-0000-0000-0000-000000000000');
begin
    select s.exit_time as at, s.id into last from (select v.exit_time, v.id from public.violations v
            where v.exit_time < remove_old_violations.at - term and (v.exit_time, v.id) > (since, since_id)
            order by v.exit_time, v.id limit 1000) s
        order by s.exit_time desc, s.id desc limit 1;
    if not found then return '{}'; end if;
    with old as (
        select v.id from public.violations v
        where (v.exit_time, v.id) > (since, since_id) and (v.exit_time, v.id) <= (last.at, last.id)
            and checkpost.is_violation_old(v, term, remove_old_violations.at)
        for update skip locked
    )
    delete from public.violations v using old where v.id = old.id;
    get diagnostics gone = row_count;
    return jsonb_build_object('next', jsonb_build_object('at', last.at, 'id', last.id), 'violations', gone);
end
$$;

revoke all on function checkpost.remove_old_violations(interval, jsonb, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
