-- Whether a text's passage was deleted or withdrawn here, by the text's id or by post, plate and second.
-- Called by record_sms.
create or replace function checkpost.is_withdrawn_text(message text) returns boolean
    language sql stable security definer set search_path = '' as $$
    with text as (
        select checkpost.uuid_v5(checkpost.sms_namespace(), message) as id, p.id as post, split_part(message, '|', 3) as plate,
            to_timestamp(split_part(message, '|', 5)::double precision) as moment
        from public.checkposts p
        where p.code = split_part(message, '|', 2) and checkpost.sms_problem(message) is null
    )
    select exists (select from text t join checkpost.withdrawn_texts w on w.sms_client_id = t.id and w.checkpost_id = t.post)
        or exists (select from text t join public.deleted_passages d on d.checkpost_id = t.post
            where (d.sms_client_id = t.id and date_trunc('second', d.recorded_at) = t.moment)
                or (d.recorded_at >= t.moment and d.recorded_at < t.moment + interval '1 second'
                    and checkpost.compact_plate(d.plate_number) = t.plate))
        or exists (
            select from text t join public.passage_changes c on c.checkpost_id = t.post and c.kind = 'withdrawn'
            where (c.old_passage ->> 'sms_client_id')::uuid = t.id
                or (checkpost.compact_plate(c.old_passage ->> 'plate_number') = t.plate
                    and (c.old_passage ->> 'recorded_at')::timestamptz >= t.moment
                    and (c.old_passage ->> 'recorded_at')::timestamptz < t.moment + interval '1 second'))
$$;

revoke all on function checkpost.is_withdrawn_text(text)
    from public, anon, authenticated, service_role, authenticator;
