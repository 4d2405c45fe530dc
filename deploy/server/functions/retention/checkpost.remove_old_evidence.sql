-- Looks at the next chain after one, {id}, and removes its beginning: whole parcels, up to the first entry that is younger or of a passage that is
-- there. It begins with the end of a parcel then, from which the rest is shown to be whole; entries that name a key stay. Answers {next, evidence}.
-- Called by remove_old.
create or replace function checkpost.remove_old_evidence(term interval, after jsonb, at timestamptz) returns jsonb
    language plpgsql set search_path = '' as $$
declare
    old public.evidence_chains;
    stays bigint;
    head bigint;
    gone bigint := 0;
    piece constant bigint := 5000;
begin
    select c.* into old from public.evidence_chains c
        where c.chain >= coalesce((after ->> 'id')::uuid, '00000000-0000-0000-0000-000000000000') order by c.chain limit 1 for update;
    if not found then return '{}'; end if;
    select min(e.number) into stays from public.evidence_entries e
        where e.chain = old.chain and e.number > old.removed_to and e.number <= old.removed_to + piece
            and (e.received_at >= remove_old_evidence.at - term
                or exists (select from public.vehicle_passages p where p.client_id = e.client_id));
    select max(e.number) into head from public.evidence_entries e
        where e.chain = old.chain and e.is_head and e.number > old.removed_to + 1
            and e.number < coalesce(stays, old.removed_to + piece + 1);
    if head is not null then
        delete from public.evidence_entries e
            where e.chain = old.chain and e.number > old.removed_to and e.number < head and e.named_key is null;
        get diagnostics gone = row_count;
        update public.evidence_chains c set removed_to = head - 1 where c.chain = old.chain;
        if gone > 0 then return jsonb_build_object('next', jsonb_build_object('id', old.chain), 'evidence', gone); end if;
    end if;
    -- The next chain: nothing is smaller than its id and greater than this one's.
    return jsonb_build_object('evidence', gone, 'next', (select jsonb_build_object('id', c.chain) from public.evidence_chains c
        where c.chain > old.chain order by c.chain limit 1));
end
$$;

revoke all on function checkpost.remove_old_evidence(interval, jsonb, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
