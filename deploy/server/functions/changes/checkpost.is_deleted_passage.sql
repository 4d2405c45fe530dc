-- Whether a passage of this post was deleted, by its own id or by that of its text.
-- Called by on_passage_deleted_before.
create or replace function checkpost.is_deleted_passage(post uuid, passage uuid, sms uuid) returns boolean
    language plpgsql stable security definer set search_path = '' as $$
begin
    return exists (select from public.deleted_passages d where d.checkpost_id = post and d.client_id = passage)
        or exists (select from public.deleted_passages d where d.checkpost_id = post and d.sms_client_id in (passage, sms))
        or exists (select from public.deleted_passages d where d.checkpost_id = post and d.client_id = sms);
end
$$;

revoke all on function checkpost.is_deleted_passage(uuid, uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
