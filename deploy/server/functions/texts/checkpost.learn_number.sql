-- A text was the post's own: its upload, which the post's account has sent, names it. What comes from that number is believed from now on,
-- unless another number has sent the same text. A post that signs its texts teaches none: there the signature counts.
-- Called by merge_upload and receive_sms.
create or replace function checkpost.learn_number(post uuid, sender text, identity uuid, passage uuid) returns void
    language sql set search_path = '' as $$
    insert into public.sms_senders (checkpost_id, number, sms_client_id)
    select post, checkpost.plain_number(sender), identity
    where checkpost.plain_number(sender) is not null and not checkpost.is_contested_text(identity, passage, sender)
        and not checkpost.signs_texts(post)
    on conflict do nothing
$$;

revoke all on function checkpost.learn_number(uuid, text, uuid, uuid)
    from public, anon, authenticated, service_role, authenticator;
