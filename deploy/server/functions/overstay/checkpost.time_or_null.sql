-- A time that somebody wrote, or null where it is none: what a post tells must not end the round.
-- Called by word_of, the gateway and the command `report`.
create or replace function checkpost.time_or_null(value text) returns timestamptz
    language plpgsql immutable set search_path = '' set timezone = 'UTC' as $$
begin
    if value !~ '^[0-9]{4}-' then return null; end if;
    return value::timestamptz;
exception when data_exception then
    return null;
end
$$;

revoke all on function checkpost.time_or_null(text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.time_or_null(text) to authenticated, service_role;
