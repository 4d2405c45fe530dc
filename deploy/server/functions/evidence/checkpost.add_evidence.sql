-- The function `add-evidence`: entries of one chain of the caller's post, in order, each {text, key, signature, holds}. The gateway says
-- whether a signature holds, so there is no other door to this. Answers {at, next}: the server's time, and the first number of the chain
-- that it lacks. Sent again it changes nothing.
-- Called by the gateway.
create or replace function checkpost.add_evidence(entries jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    post uuid := checkpost.my_checkpost();
    wanted uuid := checkpost.evidence_line(entries -> 0 ->> 'text', 'chain');
    entry jsonb;
    last bigint;
    known bigint;
begin
    if post is null then
        raise exception 'evidence is of a post: the account is of none' using errcode = 'PT403';
    end if;
    if wanted is null then
        raise exception 'an entry names its chain' using errcode = 'PT400';
    end if;
    insert into public.evidence_chains (chain, checkpost_id) values (wanted, post) on conflict do nothing;
    -- One parcel of a chain at a time.
    select c.complete_to into known from public.evidence_chains c
        where c.chain = wanted and c.checkpost_id = post for update;
    if not found then
        raise exception 'the chain is of another checkpost than the caller' using errcode = 'PT403';
    end if;
    for entry in select e.value from jsonb_array_elements(entries) with ordinality e order by e.ordinality loop
        last := checkpost.store_evidence(wanted, entry);
    end loop;
    update public.evidence_entries e set is_head = true where e.chain = wanted and e.number = last;
    while exists (select from public.evidence_entries e where e.chain = wanted and e.number = known + 1) loop
        known := known + 1;
    end loop;
    update public.evidence_chains c set complete_to = known where c.chain = wanted;
    return jsonb_build_object('at', clock_timestamp(), 'next', known + 1);
end
$$;

revoke all on function checkpost.add_evidence(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.add_evidence(jsonb) to authenticated, service_role;
