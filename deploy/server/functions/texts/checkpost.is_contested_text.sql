-- Whether another number has sent the very same text. Then nobody knows whose it is: somebody who watched the road may have written it as the
-- box would, before or after the box did.
-- Called by learn_number and receive_sms.
create or replace function checkpost.is_contested_text(identity uuid, passage uuid, sender text) returns boolean
    language sql stable set search_path = '' as $$
    select exists (select from public.sms_messages m
        where m.passage_id = passage and checkpost.uuid_v5(checkpost.sms_namespace(), checkpost.sms_text(m.body)) = identity
            and checkpost.plain_number(m.sender) is distinct from checkpost.plain_number(is_contested_text.sender))
$$;

revoke all on function checkpost.is_contested_text(uuid, uuid, text)
    from public, anon, authenticated, service_role, authenticator;
