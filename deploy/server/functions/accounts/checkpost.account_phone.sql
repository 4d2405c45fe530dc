-- The telephone number of an account, as it is typed, with its country: a text is a post's own when it comes from it. A mobile number of Nepal
-- without its country gets it; null for what is none, or of a country that can't be told.
-- Called by create_ranger. The box and the program have the same rule: Tests/Contract/phones.json.
create or replace function checkpost.account_phone(typed text) returns text
    language sql immutable set search_path = '' as $$
    select case when number ~ '^\+[1-9][0-9]{6,14}$' then number end
    from (select regexp_replace(regexp_replace(translate(typed, ' -.()/' || chr(160), ''), '^00', '+'),
        '^(977|0)?(9[678][0-9]{8})$', '+977\2') as number) t
$$;

revoke all on function checkpost.account_phone(text)
    from public, anon, authenticated, service_role, authenticator;
