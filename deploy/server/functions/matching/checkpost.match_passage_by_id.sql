-- Works out the pairs around this passage. Returns whether it has a partner that it did not have.
-- Called by judge_vehicles, match_leftovers, merge_upload, on_original_changed, on_passage_facts and undo_pair_change.
create or replace function checkpost.match_passage_by_id(passage_id uuid) returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    passage public.vehicle_passages;
begin
    select p.* into passage from public.vehicle_passages p where p.id = passage_id;
    if not found then return false; end if;
    perform checkpost.match_around(passage.segment_id, passage.plate_number, passage.recorded_at);
    return exists (select from public.vehicle_passages p where p.id = passage_id and p.matched_passage_id is not null
        and p.matched_passage_id is distinct from passage.matched_passage_id);
end
$$;

revoke all on function checkpost.match_passage_by_id(uuid)
    from public, anon, authenticated, service_role, authenticator;
