-- What was deleted at the server, so that a deletion travels: a post sees that its passage is gone, the other one drops it as a
-- candidate, and neither an upload nor a text that comes once more makes it anew.

create table public.deleted_passages (
    -- The row's id while it was there.
    id uuid primary key,
    client_id uuid not null,
    sms_client_id uuid,
    -- No references: what was deleted stays known whatever becomes of its place.
    checkpost_id uuid not null,
    segment_id uuid not null,
    plate_number text not null,
    recorded_at timestamptz not null,
    deleted_at timestamptz not null default now(),
    -- Null when a program, and no person, deleted it.
    deleted_by uuid,
    server_seq bigint not null
);
create index deleted_passages_client on public.deleted_passages (client_id);
create index deleted_passages_sms on public.deleted_passages (sms_client_id) where sms_client_id is not null;
create index deleted_passages_place on public.deleted_passages (checkpost_id, recorded_at);
create index deleted_passages_segment on public.deleted_passages (segment_id, server_seq);
create unique index deleted_passages_server_seq on public.deleted_passages (server_seq);

create trigger a_lock before insert or update or delete on public.deleted_passages
    for each statement execute function checkpost.on_statement_lock();
create trigger z_number before insert or update on public.deleted_passages
    for each row execute function checkpost.on_row_number();

alter table public.deleted_passages enable row level security;
revoke all on public.deleted_passages from public, anon, authenticated, service_role;
-- A warden who takes a deletion back deletes its row: the post may then send the passage again.
grant select, delete on public.deleted_passages to authenticated, service_role;
create policy segment_read on public.deleted_passages for select to authenticated
    using (segment_id = (select checkpost.my_segment()) or (select checkpost.is_admin()));
create policy admins_delete on public.deleted_passages for delete to authenticated
    using ((select checkpost.is_admin()));

-- Keeps what a passage was known by. One that a post withdrew is among them: its row is gone as well.
create function checkpost.on_passage_gone() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    insert into public.deleted_passages (id, client_id, sms_client_id, checkpost_id, segment_id, plate_number,
        recorded_at, deleted_by)
    values (old.id, old.client_id, old.sms_client_id, old.checkpost_id, old.segment_id, old.plate_number,
        old.recorded_at, auth.uid())
    on conflict (id) do update set client_id = excluded.client_id, sms_client_id = excluded.sms_client_id,
        deleted_at = now(), deleted_by = excluded.deleted_by;
    return null;
end
$$;
create trigger y_gone after delete on public.vehicle_passages
    for each row execute function checkpost.on_passage_gone();

-- Whether a passage of this post was deleted, by its own id or by that of its text.
create function checkpost.is_deleted_passage(post uuid, passage uuid, sms uuid) returns boolean
    language sql stable security definer set search_path = '' as $$
    select exists (select from public.deleted_passages d where d.checkpost_id = post and d.client_id = passage)
        or exists (select from public.deleted_passages d where d.checkpost_id = post and d.sms_client_id in (passage, sms))
        or exists (select from public.deleted_passages d where d.checkpost_id = post and d.client_id = sms)
$$;

-- An upload of what was deleted is answered with 409: the post shows the passage as deleted and doesn't send it again. An admin who
-- stores it again means it. The name sorts before b_insert, which may end an insert by a merge.
create function checkpost.on_passage_deleted_before() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if not checkpost.is_deleted_passage(new.checkpost_id, new.client_id, new.sms_client_id) then return new; end if;
    if checkpost.is_admin() then
        delete from public.deleted_passages d where d.checkpost_id = new.checkpost_id
            and (d.client_id in (new.client_id, new.sms_client_id) or d.sms_client_id in (new.client_id, new.sms_client_id));
        return new;
    end if;
    raise exception 'the passage was deleted at the server' using errcode = 'PT409', detail = 'deleted_passages',
        hint = 'A warden can take the deletion back: its row in deleted_passages.';
end
$$;
create trigger a_deleted before insert on public.vehicle_passages
    for each row execute function checkpost.on_passage_deleted_before();

revoke all on function checkpost.on_passage_gone(), checkpost.is_deleted_passage(uuid, uuid, uuid),
    checkpost.on_passage_deleted_before() from public, anon, authenticated, service_role;
