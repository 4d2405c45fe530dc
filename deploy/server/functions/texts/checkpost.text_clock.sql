-- A text says nothing of the clock. One that arrives before its time was written by a clock that is ahead; one that comes later than any
-- match is looked for may have been. One from a number that is not the post's may be anybody's: it accuses nobody. The upload tells, and
-- what it corrects is judged anew.
-- Called by record_sms.
create or replace function checkpost.text_clock(moment timestamptz, post uuid, sender text) returns text
    language sql stable set search_path = '' as $$
    select case when moment > now() + interval '5 minutes' or moment < now() - checkpost.window_length()
        or not checkpost.is_own_number(post, sender) then 'untrusted' end
$$;

revoke all on function checkpost.text_clock(timestamp with time zone, uuid, text)
    from public, anon, authenticated, service_role, authenticator;
