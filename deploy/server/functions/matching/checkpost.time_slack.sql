-- By how many seconds a passage may have come later than its time says. A text's has whole seconds, and its row keeps it: up to 0.999. One
-- that a warden put right to the millisecond: none.
-- Called by highest_speed and judge_pair.
create or replace function checkpost.time_slack(passage public.vehicle_passages) returns numeric
    language sql stable set search_path = '' as $$
    select case when passage.source = 'sms' and passage.recorded_at = date_trunc('second', passage.recorded_at) then 0.999 else 0 end
$$;

revoke all on function checkpost.time_slack(public.vehicle_passages)
    from public, anon, authenticated, service_role, authenticator;
