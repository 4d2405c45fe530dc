-- What is wrong with the shape of a V2 text; null when a box can have written it. The box's decoder has the same rules. Whether the signature
-- is right is another question.
-- Called by record_signed_sms.
create or replace function checkpost.signed_sms_problem(message text) returns text
    language sql immutable set search_path = '' as $$
    select case
        when length(message) > 160 then 'the text is longer than one message'
        when message !~ ('^V2\.[A-Za-z0-9_-]{1,20}\.[1-9A-Z][0-9A-Z]{0,5}\.[0-9]{1,4}\.[1-9A-Z][0-9A-Z]{5,6}'
                '(\.[0-9A-Z]{2,16}[a-z][su]?([1-9A-Z][0-9A-Z]{0,5})?)+\.[A-Za-z0-9:-]{12}$')
            then 'it is not written as a V2 message is; perhaps it was cut off or changed on its way'
        else (select checkpost.sms_problem(p.body) from checkpost.signed_passages(message) p
            where checkpost.sms_problem(p.body) is not null order by p.place limit 1)
    end
$$;

revoke all on function checkpost.signed_sms_problem(text)
    from public, anon, authenticated, service_role, authenticator;
