-- What is wrong with the evidence of the posts that the caller may see: `gap` (entries are missing), `fork` (two histories), `unsigned`,
-- `began` (a chain that is not the post's first, with the reason in its text).
-- Called by the warden's page and report.
create or replace function checkpost.evidence_problems()
    returns table (checkpost_id uuid, problem text, chain uuid, number bigint, detail text, received_at timestamptz)
    language sql stable set search_path = '' as $$
    select c.checkpost_id, p.problem, p.chain, p.number, p.detail, p.received_at
    from (
        select e.chain, e.number, e.received_at, case when not e.follows then case when e.number > 1 and not exists (
                select from public.evidence_entries b where b.chain = e.chain and b.number = e.number - 1)
                then 'gap' else 'fork' end else 'unsigned' end as problem, null::text as detail
        from public.evidence_entries e where not (e.is_signed and e.follows)
        union all
        select f.chain, f.number, f.received_at, 'fork', null from public.evidence_forks f
        union all
        select e.chain, e.number, e.received_at, 'began', substring(e.text from '(?n)^because: (.*)$')
        from public.evidence_entries e where e.number = 1 and e.text !~ '(?n)^because: first chain$'
    ) p join public.evidence_chains c on c.chain = p.chain
$$;

revoke all on function checkpost.evidence_problems()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.evidence_problems() to authenticated, service_role;
