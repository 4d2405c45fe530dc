-- The first screen counts: what was shown stays shown, at its earliest time, whichever post tells it later and how often. A clock that is
-- ahead says now; nothing is shown before the vehicle came out.
-- Called by the trigger b_delivered of violations.
create or replace function checkpost.on_alert_delivered() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if not checkpost.is_client() then return new; end if;
    new.alert_delivered_at := case
        when new.alert_delivered_at is null then old.alert_delivered_at
        else least(old.alert_delivered_at, greatest(new.alert_delivered_at, old.exit_time), now())
    end;
    return new;
end
$$;

revoke all on function checkpost.on_alert_delivered()
    from public, anon, authenticated, service_role, authenticator;
