-- The passages of a V2 text, each as the V1 text that would tell it, with the state of its clock. A passage has the id of that V1 text,
-- whichever version carried it: V2.<post>.<number>.<suffix>.<time>.<passage>….<signature>, where a passage is its plate, a letter of its type,
-- a letter of its clock and the seconds since the passage before it.
-- Called by record_signed_sms and signed_sms_problem.
create or replace function checkpost.signed_passages(message text) returns table (place integer, body text, clock_state text)
    language sql immutable set search_path = '' as $$
    with text as (select string_to_array(message, '.') as field),
    part as (
        select p.i, t.field, regexp_match(p.passage, '^([0-9A-Z]{2,16})([a-z])([su]?)([0-9A-Z]*)$') as word
        from text t cross join unnest(t.field[6 : cardinality(t.field) - 1]) with ordinality p (passage, i)
    )
    select p.i::integer, concat_ws('|', 'V1', p.field[2], p.word[1],
            coalesce(case p.word[2] when 'c' then 'CAR' when 'j' then 'JSV' when 'n' then 'MNB' when 'b' then 'BUS' when 't' then 'TRK'
                when 'k' then 'TNK' when 'm' then 'MCY' when 'a' then 'ARK' when 'r' then 'TRC' when 'o' then 'OTH' end, '?'),
            checkpost.base36(p.field[5]) + sum(checkpost.base36(p.word[4])) over (order by p.i), p.field[4]),
        case p.word[3] when 'u' then 'untrusted' when 's' then 'simulated' else 'synchronised' end
    from part p order by p.i
$$;

revoke all on function checkpost.signed_passages(text)
    from public, anon, authenticated, service_role, authenticator;
