-- Whether a post has a key in force that it signs its texts with: then an unsigned one in its name proves nothing.
-- Called by learn_number, record_sms, record_signed_sms and text_clock.
create or replace function checkpost.signs_texts(post uuid) returns boolean
    language sql stable set search_path = '' as $$
    select exists (select from checkpost.text_keys k where k.checkpost_id = post and k.ended_at is null)
$$;

revoke all on function checkpost.signs_texts(uuid)
    from public, anon, authenticated, service_role, authenticator;
