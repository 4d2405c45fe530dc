-- How far the time of a text is believed. One that arrives before its time was written by a clock that is ahead; one that comes later than any
-- match is looked for may have been. A signed text says how its clock was. An unsigned one says nothing of it, and proves nothing where the
-- post signs or the number is not the post's: it may be anybody's, and accuses nobody. The upload tells, and what it corrects is judged anew.
-- Called by record_sms.
create or replace function checkpost.text_clock(moment timestamptz, post uuid, sender text, signed_clock text) returns text
    language sql stable set search_path = '' as $$
    select case when moment > now() + interval '5 minutes' or moment < now() - checkpost.window_length() then 'untrusted'
        when signed_clock is not null then signed_clock
        when checkpost.signs_texts(post) or not checkpost.is_own_number(post, sender) then 'untrusted' end
$$;

revoke all on function checkpost.text_clock(timestamp with time zone, uuid, text, text)
    from public, anon, authenticated, service_role, authenticator;
