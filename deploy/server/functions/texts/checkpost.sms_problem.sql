-- What is wrong with a V1 text; null when a box can have written it. The box's decoder has the same rules.
-- Called by is_withdrawn_text, record_sms and signed_sms_problem.
create or replace function checkpost.sms_problem(message text) returns text
    language sql immutable set search_path = '' as $$
    select case
        when field[1] is distinct from 'V1' then 'not a V1 message'
        when cardinality(field) <> 6 then 'a V1 message has six fields'
        when field[2] !~ '^[A-Za-z0-9_-]{1,20}$' then 'the checkpost is no code of one'
        when field[3] !~ '^[A-Z0-9]{2,16}$' then 'plate_number is not 2 to 16 Latin letters and digits'
        when checkpost.sms_vehicle_type(field[4]) is null then 'unknown vehicle type'
        when field[5] !~ '^[1-9][0-9]{8,9}$' or field[5]::bigint >= 4102444800
            then 'recorded_at is not in epoch seconds from 1973 until 2100'
        when field[6] !~ '^[0-9]{1,4}$' then 'the phone suffix is not one to four digits'
    end
    from (select string_to_array(message, '|') as field) t
$$;

revoke all on function checkpost.sms_problem(text)
    from public, anon, authenticated, service_role, authenticator;
