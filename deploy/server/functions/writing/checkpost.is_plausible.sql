-- Whether every client and page can read this time: from 1970 to 2099. A box whose clock was lost may be decades off, and is within.
-- Called by on_passage_time and by the checks of the columns that clients fill.
create or replace function checkpost.is_plausible(moment timestamptz) returns boolean
    language plpgsql immutable set search_path = '' as $$
begin
    return moment >= timestamptz '1970-01-01 00:00:00+00' and moment < timestamptz '2100-01-01 00:00:00+00';
end
$$;

revoke all on function checkpost.is_plausible(timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.is_plausible(timestamp with time zone) to authenticated, service_role;
