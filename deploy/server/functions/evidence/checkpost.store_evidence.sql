-- Keeps one entry of a chain, {text, key, signature, holds}, and says whether it is signed with the key in force and follows the one
-- before. What is there already stays; another text with its number is kept beside it as a fork.
-- Called by add_evidence.
create or replace function checkpost.store_evidence(wanted uuid, entry jsonb) returns bigint
    language plpgsql set search_path = '' as $$
declare
    said text := entry ->> 'text';
    this bigint := checkpost.evidence_line(said, 'number');
    said_hash text := encode(sha256(convert_to(said, 'UTF8')), 'hex');
    said_before text := substring(said from '(?n)^SHA256 \([0-9]{10,}\.txt\) = ([0-9a-f]{64})$');
    named text := checkpost.evidence_line(said, 'key');
    force_key text := coalesce(checkpost.key_in_force(wanted, this), named);
    signed boolean := (entry ->> 'holds')::boolean and coalesce(entry ->> 'key' = coalesce(force_key, entry ->> 'key'), false);
    stored text;
begin
    if this is null or checkpost.evidence_line(said, 'chain')::uuid is distinct from wanted
        or said not like 'checkpost evidence 1' || chr(10) || '%' then
        raise exception 'an entry has no number, or is of another chain or version' using errcode = 'PT400';
    end if;
    select e.hash into stored from public.evidence_entries e where e.chain = wanted and e.number = this;
    if stored = said_hash then return this; end if;
    if stored is not null then
        insert into public.evidence_forks (chain, number, hash, text, key, signature, is_signed)
        select wanted, this, said_hash, said, entry ->> 'key', entry ->> 'signature', signed
            -- A box gone mad must not fill the disk.
            where (select count(*) from public.evidence_forks f where f.chain = wanted) < 1000
        on conflict do nothing;
        return this;
    end if;
    -- The first key that is named has to be the one that everything before was signed with.
    if named is not null and exists (select from public.evidence_entries e
            where e.chain = wanted and e.number < this and e.key <> named)
        and not exists (select from public.evidence_entries e
            where e.chain = wanted and e.number < this and e.named_key is not null) then
        signed := false;
    end if;
    insert into public.evidence_entries
        (chain, number, client_id, kind, text, hash, before, named_key, key, signature, is_signed, follows)
    values (wanted, this, checkpost.evidence_line(said, 'passage')::uuid, coalesce(checkpost.evidence_line(said, 'kind'), ''), said,
        said_hash, said_before, named, entry ->> 'key', entry ->> 'signature', signed,
        case when this = 1 then said_before is null else coalesce(said_before = (
            select e.hash from public.evidence_entries e where e.chain = wanted and e.number = this - 1), false) end);
    update public.evidence_entries e set follows = coalesce(e.before = said_hash, false)
        where e.chain = wanted and e.number = this + 1;
    return this;
end
$$;

revoke all on function checkpost.store_evidence(uuid, jsonb)
    from public, anon, authenticated, service_role, authenticator;
