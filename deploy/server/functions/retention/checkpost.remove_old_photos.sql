-- Looks at the next thousand photos after a place, {at, id}, and removes those that may go. Answers {next, photos}. The passage goes on saying
-- where its photo was, so its post does not send it again.
-- Called by remove_old.
create or replace function checkpost.remove_old_photos(kept_found interval, kept_clean interval, after jsonb, at timestamptz) returns jsonb
    language plpgsql set search_path = '' as $$
declare
    last record;
    gone bigint;
    since timestamptz := coalesce((after ->> 'at')::timestamptz, '-infinity');
    since_name text := coalesce(after ->> 'id', '');
    until timestamptz := at - least(kept_found, kept_clean);
begin
    select s.created_at as at, s.name as id into last from (select o.created_at, o.name from storage.objects o
            where o.bucket_id = 'passage-photos' and o.created_at < until and (o.created_at, o.name) > (since, since_name)
            order by o.created_at, o.name limit 1000) s
        order by s.created_at desc, s.name desc limit 1;
    if last.id is null then return '{}'; end if;
    gone := checkpost.remove_photos(array(select o.name from storage.objects o
        where o.bucket_id = 'passage-photos' and (o.created_at, o.name) > (since, since_name) and (o.created_at, o.name) <= (last.at, last.id)
            and checkpost.is_photo_old(o.name, o.created_at, kept_found, kept_clean, remove_old_photos.at)));
    return jsonb_build_object('next', jsonb_build_object('at', last.at, 'id', last.id), 'photos', gone);
end
$$;

revoke all on function checkpost.remove_old_photos(interval, interval, jsonb, timestamp with time zone)
    from public, anon, authenticated, service_role, authenticator;
