-- A row that says where its post stands is for another road of the same park, and nobody's post of its own.
-- Called by the trigger a_stands of checkposts.
create or replace function checkpost.on_post_stands() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if tg_op = 'UPDATE' and (new.stands_at, new.segment_id) is distinct from (old.stands_at, old.segment_id)
        and exists (select from public.vehicle_passages p where p.checkpost_id = new.id and p.copy_of is not null) then
        raise exception 'the row has passages of its post: it stays where it stands' using errcode = '23514';
    end if;
    if new.stands_at is null then return new; end if;
    if exists (select from public.checkposts c where c.id = new.stands_at and c.stands_at is not null)
        or exists (select from public.checkposts c where c.stands_at = new.id) then
        raise exception 'a post stands at one that stands nowhere else' using errcode = '23514';
    end if;
    if exists (select from public.checkposts c where (c.id = new.stands_at or c.stands_at = new.stands_at and c.id <> new.id)
        and c.segment_id = new.segment_id) then
        raise exception 'a post stands once on a road' using errcode = '23514';
    end if;
    if not exists (select from public.checkposts c join public.highway_segments s on s.id = c.segment_id
        join public.highway_segments n on n.park_id = s.park_id where c.id = new.stands_at and n.id = new.segment_id) then
        raise exception 'the roads of a post are of one park' using errcode = '23514';
    end if;
    if exists (select from public.user_profiles u where u.assigned_checkpost_id = new.id)
        or exists (select from public.vehicle_passages p where p.checkpost_id = new.id and p.copy_of is null) then
        raise exception 'the post has accounts or passages of its own' using errcode = '23514';
    end if;
    return new;
end
$$;

revoke all on function checkpost.on_post_stands()
    from public, anon, authenticated, service_role, authenticator;
