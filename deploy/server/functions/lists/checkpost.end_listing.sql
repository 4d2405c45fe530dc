-- Takes a plate off its list. For wardens and admins.
-- Called by the gateway and list_plate.
create or replace function checkpost.end_listing(listing uuid) returns void
    language plpgsql security definer set search_path = '' as $$
begin
    if checkpost.is_client() and not checkpost.is_warden() then
        raise exception 'only a warden takes plates off their lists' using errcode = 'PT403';
    end if;
    update public.listed_plates l
    set ended_at = greatest(now(), l.listed_at), ended_by = (select p.id from public.user_profiles p where p.id = auth.uid())
    where l.id = listing and l.ended_at is null;
    if not found then raise exception 'there is no such listing' using errcode = 'PT404'; end if;
end
$$;

revoke all on function checkpost.end_listing(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.end_listing(uuid) to authenticated, service_role;
