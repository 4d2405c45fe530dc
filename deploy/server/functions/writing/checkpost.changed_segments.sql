-- The segments in which something was written under the numbers after the first and up to the second: whose posts have something to fetch.
-- Called by the gateway.
create or replace function checkpost.changed_segments(after bigint, up_to bigint) returns setof uuid
    language sql stable security definer set search_path = '' as $$
    select p.segment_id from public.vehicle_passages p where p.server_seq > after and p.server_seq <= up_to
    union select c.segment_id from public.passage_changes c where c.server_seq > after and c.server_seq <= up_to
    union select d.segment_id from public.deleted_passages d where d.server_seq > after and d.server_seq <= up_to
    union select w.segment_id from public.withdrawn_violations w where w.server_seq > after and w.server_seq <= up_to
    union select v.segment_id from public.violations v where v.server_seq > after and v.server_seq <= up_to
    union select v.segment_id from public.violation_outcomes o join public.violations v on v.id = o.violation_id
        where o.server_seq > after and o.server_seq <= up_to
    union select a.segment_id from public.proactive_overstay_alerts a where a.server_seq > after and a.server_seq <= up_to
$$;

revoke all on function checkpost.changed_segments(bigint, bigint)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.changed_segments(bigint, bigint) to authenticator;
