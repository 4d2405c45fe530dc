-- A telephone number as digits with the country's; null for a name, a short code and nothing.
-- Called by is_contested_text, is_own_number and learn_number.
create or replace function checkpost.plain_number(sender text) returns text
    language sql immutable set search_path = '' as $$
    select case when number ~ '^[1-9][0-9]{3,14}$' and sender !~ '[A-Za-z]' then number end
    from (select ltrim(regexp_replace(sender, '\D', '', 'g'), '0') as number) t
$$;

revoke all on function checkpost.plain_number(text)
    from public, anon, authenticated, service_role, authenticator;
