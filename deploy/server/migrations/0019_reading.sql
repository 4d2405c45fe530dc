-- Reading at a million rows: indexes for the orders in which clients ask, a policy that doesn't call a function for each row, and a bound
-- on what one answer may hold.

-- The newest of all, and of a segment. Forwards they serve a pull by time, backwards `order=recorded_at.desc`.
create index vehicle_passages_time on public.vehicle_passages (recorded_at, id);
create index vehicle_passages_segment_time on public.vehicle_passages (segment_id, recorded_at, id);
-- What follows a cursor within one segment.
create index vehicle_passages_segment_seq on public.vehicle_passages (segment_id, server_seq);

-- As before. A look-up by the violation's key is planned with the query; a function was called for each row.
drop policy segment_read on public.violation_outcomes;
create policy segment_read on public.violation_outcomes for select to authenticated
    using (exists (select from public.violations v
        where v.id = violation_id and v.segment_id = (select checkpost.my_segment())));

-- Adds up what one statement's embedded lists hold. A thousand rows with a thousand rows in each would otherwise fill the memory of
-- PostgreSQL, and then of the gateway, before anybody could say no.
create function checkpost.counted(part json) returns json
    language plpgsql volatile set search_path = '' as $$
declare
    bytes bigint := coalesce(nullif(current_setting('checkpost.answer_bytes', true), ''), '0')::bigint
        + octet_length(part::text);
begin
    if bytes > 16777216 then
        raise exception 'the answer would have more than 16 MB' using errcode = '54000',
            hint = 'Ask for less at a time: a lower limit, or a limit for the embedded rows.';
    end if;
    perform set_config('checkpost.answer_bytes', bytes::text, true);
    return part;
end
$$;

revoke all on function checkpost.counted(json) from public, anon, authenticated, service_role;
grant execute on function checkpost.counted(json) to authenticated, service_role;
