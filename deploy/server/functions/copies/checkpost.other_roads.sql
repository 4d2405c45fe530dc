-- The roads beside its own that the signed-in ranger's post stands on; empty for everybody else.
-- Called by may_read_photo and policies.
create or replace function checkpost.other_roads() returns uuid[]
    language plpgsql stable security definer set search_path = '' as $$
begin
    return array(select c.segment_id from public.checkposts c where c.stands_at = checkpost.my_checkpost());
end
$$;

revoke all on function checkpost.other_roads()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.other_roads() to authenticated, service_role;
