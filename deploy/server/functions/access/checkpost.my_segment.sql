-- The segment of the signed-in ranger's checkpost; null for everybody else.
-- Called by doubtful_pairs, find_passages, match_candidates, match_passage, may_read_photo, owns_photo, roads and policies.
create or replace function checkpost.my_segment() returns uuid
    language plpgsql stable security definer set search_path = '' as $$
begin
    return (select c.segment_id from public.user_profiles p join auth.users u on u.id = p.id
        join public.checkposts c on c.id = p.assigned_checkpost_id
    where p.id = auth.uid() and p.is_active and p.role = 'ranger' and coalesce(u.banned_until <= now(), true));
end
$$;

revoke all on function checkpost.my_segment()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.my_segment() to authenticated, service_role;
