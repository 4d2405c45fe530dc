-- Up to which number everything that will ever be shown is shown now: the last one that was given out, or the one before the first writer
-- that has not committed. It is the same twice only if nobody who follows the numbers was shown anything new between.
-- The last number is read first: a writer that begins after that has a higher one, and one from before is seen by the horizon.
-- Called by public.news and the gateway.
create or replace function checkpost.settled_number() returns bigint
    language plpgsql volatile security definer set search_path = '' as $$
declare
    last bigint := checkpost.last_number();
begin
    return least(last, checkpost.number_horizon(pg_current_snapshot()));
end
$$;

revoke all on function checkpost.settled_number()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.settled_number() to authenticated, service_role, authenticator;
