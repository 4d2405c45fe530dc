-- A text says nothing of the clock. One that arrives before its time was written by a clock that is ahead; one that comes later than any
-- match is looked for may have been. The upload tells, and what it corrects is judged anew.
-- Called by record_sms.
create or replace function checkpost.text_clock(moment timestamptz) returns text
    language sql stable set search_path = '' as $$
    select case when moment > now() + interval '5 minutes' or moment < now() - checkpost.window_length() then 'untrusted' end
$$;

revoke all on function checkpost.text_clock(timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
