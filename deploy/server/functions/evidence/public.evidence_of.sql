-- What a box signed of a passage, or of the one that this is a copy of, with the entries around it: from the last one before that ended a parcel to the first one after. It runs
-- with the caller's rights.
-- Called by clients.
create or replace function public.evidence_of(passage uuid)
    returns table (chain uuid, number bigint, text text, key text, signature text, anchored_at timestamptz)
    language sql stable set search_path = '' as $$
    with told as (
        select e.chain, min(e.number) as first, max(e.number) as last from public.evidence_entries e
        where e.client_id = coalesce((select o.client_id from public.vehicle_passages p join public.vehicle_passages o on o.id = p.copy_of
            where p.client_id = passage), passage) group by e.chain
    )
    select e.chain, e.number, e.text, e.key, e.signature, case when e.is_head then e.received_at end
    from told t join public.evidence_entries e on e.chain = t.chain and e.number between
        coalesce((select max(b.number) from public.evidence_entries b
            where b.chain = t.chain and b.number < t.first and b.is_head), 1)
        and coalesce((select min(b.number) from public.evidence_entries b
            where b.chain = t.chain and b.number >= t.last and b.is_head), t.last)
    order by e.chain, e.number limit 5000
$$;

revoke all on function public.evidence_of(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.evidence_of(uuid) to authenticated, service_role;
