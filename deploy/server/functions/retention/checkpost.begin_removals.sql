-- Whether a round may begin: `begun` once a day, `done` afterwards, `clock` while no passage of the last month is here. Then the clock may be
-- years ahead, and a wrong date must not clear a server.
-- Called by the gateway's timer and the command `retention`.
create or replace function checkpost.begin_removals(at timestamptz default now()) returns text
    language plpgsql security definer set search_path = '' as $$
begin
    if not exists (select from public.vehicle_passages p
        where p.recorded_at > at - interval '30 days' and p.recorded_at < at + interval '1 day'
            and p.clock_state is distinct from 'untrusted' and p.source <> 'sms') then return 'clock'; end if;
    insert into checkpost.removal_rounds (day) values ((at at time zone 'UTC')::date) on conflict do nothing;
    if not found then return 'done'; end if;
    delete from checkpost.removal_rounds r where r.day < (at at time zone 'UTC')::date - 7;
    return 'begun';
end
$$;

revoke all on function checkpost.begin_removals(timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.begin_removals(timestamp with time zone) to service_role;
