-- Locks passages whose pairs change, and the violations on them. Returns false when somebody holds one of them, or has just recorded an
-- outcome.
-- Called by match_around.
create or replace function checkpost.hold_pairs(passages uuid[]) returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    held integer;
begin
    select count(*) into held from (select from public.vehicle_passages p where p.id = any (passages)
        order by p.id for no key update skip locked) r;
    if held < cardinality(passages) then return false; end if;
    -- Whoever records an outcome holds its violation.
    select count(*) into held from (select from public.violations v
        where v.entry_passage_id = any (passages) or v.exit_passage_id = any (passages) order by v.id for update skip locked) r;
    return held = (select count(*) from public.violations v
            where v.entry_passage_id = any (passages) or v.exit_passage_id = any (passages))
        and not exists (select from public.violations v join public.violation_outcomes o on o.violation_id = v.id
            where v.entry_passage_id = any (passages) or v.exit_passage_id = any (passages));
end
$$;

revoke all on function checkpost.hold_pairs(uuid[])
    from public, anon, authenticated, service_role, authenticator;
