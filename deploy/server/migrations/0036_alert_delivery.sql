-- A post tells when a ranger's screen first showed the alert of a violation. The columns that it may write are settled since 0022.
create policy segment_delivered on public.violations for update to authenticated
    using (segment_id = (select checkpost.my_segment()))
    with check (segment_id = (select checkpost.my_segment()));

create function checkpost.on_alert_delivered() returns trigger language plpgsql as 'begin return new; end';
create trigger b_delivered before update of alert_delivered_at on public.violations
    for each row execute function checkpost.on_alert_delivered();
