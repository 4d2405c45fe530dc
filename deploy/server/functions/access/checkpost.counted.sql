-- Adds up what one statement's embedded lists hold. A thousand rows with a thousand rows in each would otherwise fill the memory of
-- PostgreSQL, and then of the gateway, before anybody could say no.
-- Called by the gateway.
create or replace function checkpost.counted(part json) returns json
    language plpgsql volatile set search_path = '' as $$
declare
    bytes bigint := coalesce(nullif(current_setting('checkpost.answer_bytes', true), ''), '0')::bigint
        + octet_length(part::text);
begin
    if bytes > 16777216 then
        raise exception 'the answer would have more than 16 MB' using errcode = '54000',
            hint = 'Ask for less at a time: a lower limit, or a limit for the embedded rows.';
    end if;
    perform set_config('checkpost.answer_bytes', bytes::text, true);
    return part;
end
$$;

revoke all on function checkpost.counted(json)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.counted(json) to authenticated, service_role;
