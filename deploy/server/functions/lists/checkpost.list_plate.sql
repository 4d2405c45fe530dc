-- Lists a plate for the posts of one road, or of all where `segment` is null, and gives the listing's id. One that holds with another reason
-- ends, and the new one begins. At most 500 of a kind hold at once: each post looks each of its vehicles up in them. For wardens and admins.
-- Called by the gateway.
create or replace function checkpost.list_plate(kind text, plate text, reason text, segment uuid) returns uuid
    language plpgsql security definer set search_path = '' as $$
declare
    holding public.listed_plates;
    listing uuid;
begin
    if checkpost.is_client() and not checkpost.is_warden() then
        raise exception 'only a warden lists plates' using errcode = 'PT403';
    end if;
    if segment is not null and not exists (select from public.highway_segments s where s.id = segment) then
        raise exception 'there is no such road' using errcode = 'PT404';
    end if;
    -- Two that list at once: the second one sees what the first one did.
    lock table public.listed_plates in share row exclusive mode;
    select l.* into holding from public.listed_plates l
    where checkpost.compact_plate(l.plate_number) = checkpost.compact_plate(plate) and l.kind = list_plate.kind
        and l.segment_id is not distinct from segment and l.ended_at is null;
    if holding.reason = btrim(list_plate.reason) then return holding.id; end if;
    if holding.id is not null then
        perform checkpost.end_listing(holding.id);
    elsif (select count(*) from public.listed_plates l where l.kind = list_plate.kind and l.ended_at is null) >= 500 then
        raise exception 'at most 500 plates are listed' using errcode = 'PT409', detail = 'error_list_full';
    end if;
    insert into public.listed_plates (kind, plate_number, reason, segment_id, listed_by)
    values (list_plate.kind, plate, btrim(list_plate.reason), segment,
        (select p.id from public.user_profiles p where p.id = auth.uid()))
    returning id into listing;
    return listing;
end
$$;

revoke all on function checkpost.list_plate(text, text, text, uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.list_plate(text, text, text, uuid) to authenticated, service_role;
