-- Whether a row that is gone had this id, of whatever post.
-- Called by on_passage_id.
create or replace function checkpost.is_gone_row(row_id uuid) returns boolean
    language plpgsql stable security definer set search_path = '' as $$
begin
    return exists (select from public.deleted_passages d where d.id = row_id)
        or exists (select from public.passage_changes c where c.passage_id is null and c.old_passage ->> 'id' = row_id::text)
        or exists (select from storage.objects o, unnest(array['.jpg', '.jpeg', '.png']) ending
            where o.bucket_id = 'passage-photos' and o.name = row_id::text || ending);
end
$$;

revoke all on function checkpost.is_gone_row(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.is_gone_row(uuid) to authenticated;
