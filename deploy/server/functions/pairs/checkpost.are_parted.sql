-- Whether a warden said of two passages that they are no one trip.
-- Called by alike_passages, judge_vehicles, match_candidates, match_passage, pairs_around and undo_pair_change.
create or replace function checkpost.are_parted(one uuid, other uuid) returns boolean
    language plpgsql stable security definer set search_path = '' as $$
begin
    return exists (select from checkpost.parted_pairs p
        where p.one = least(are_parted.one, are_parted.other) and p.other = greatest(are_parted.one, are_parted.other));
end
$$;

revoke all on function checkpost.are_parted(uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
