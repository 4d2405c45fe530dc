-- Matches what was skipped, 200 passages at a time. Returns how many pairs it linked.
-- Called by raise_overstay_alerts.
create or replace function checkpost.match_leftovers() returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    passage uuid;
    linked integer := 0;
begin
    for passage in select s.passage_id from checkpost.skipped_matches s order by s.passage_id limit 200 loop
        delete from checkpost.skipped_matches s where s.passage_id = passage;
        if checkpost.match_passage_by_id(passage) then linked := linked + 1; end if;
    end loop;
    return linked;
end
$$;

revoke all on function checkpost.match_leftovers()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.match_leftovers() to service_role;
