-- A text was the post's own: its upload, which the post's account has sent, names it. What comes from that number is believed from now on.
-- Called by merge_upload and receive_sms.
create or replace function checkpost.learn_number(post uuid, sender text) returns void
    language sql set search_path = '' as $$
    insert into public.sms_senders (checkpost_id, number)
    select post, checkpost.plain_number(sender) where checkpost.plain_number(sender) is not null
    on conflict do nothing
$$;

revoke all on function checkpost.learn_number(uuid, text)
    from public, anon, authenticated, service_role, authenticator;
