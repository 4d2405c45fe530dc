-- Whether a text from this number is the post's own: an active account of the post has the number, or an upload of the post has named a
-- text that came from it.
-- Called by text_clock.
create or replace function checkpost.is_own_number(post uuid, sender text) returns boolean
    language sql stable set search_path = '' as $$
    select exists (select from public.sms_senders s where s.checkpost_id = post and s.number = checkpost.plain_number(sender))
        or exists (select from public.user_profiles u
            where u.assigned_checkpost_id = post and u.is_active
                and checkpost.plain_number(u.phone_number) = checkpost.plain_number(sender))
$$;

revoke all on function checkpost.is_own_number(uuid, text)
    from public, anon, authenticated, service_role, authenticator;
