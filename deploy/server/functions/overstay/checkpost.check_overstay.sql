-- One round: raises alerts for vehicles that never came out, at most 500 of them, and returns how many. Whoever gets 500 asks again. The
-- last round of several asks open alerts anew, and tidies up.
-- Called by public.check_overstay, the gateway's timer and the command `check-overstay`.
create or replace function checkpost.check_overstay() returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    made integer;
begin
    -- By the limits that hold now.
    perform checkpost.make_road_plans(now());
    made := checkpost.raise_overstay_alerts(500, now());
    if made < 500 then
        perform checkpost.renew_doubts(now());
        perform checkpost.drop_old_logs();
        delete from checkpost.recent_writers w
            where w.writer < pg_snapshot_xmin(pg_current_snapshot()) or w.writer > pg_current_xact_id();
    end if;
    return made;
end
$$;

revoke all on function checkpost.check_overstay()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.check_overstay() to service_role;
