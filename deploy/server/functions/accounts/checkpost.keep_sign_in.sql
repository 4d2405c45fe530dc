-- Keeps that somebody signed in, or was refused. Of a flood of refusals the first 500 in ten minutes are kept: whoever tries passwords fills no
-- disk.
-- Called by sign_in and sign_in_second.
create or replace function checkpost.keep_sign_in(email text, account uuid, result text) returns void
    language sql volatile security definer set search_path = '' as $$
    insert into public.sign_ins (email, account_id, result)
    select left(lower(coalesce(email, '')), 254), account, result
    where result = 'signed_in' or 500 > (select count(*) from (select from public.sign_ins s
        where s.result <> 'signed_in' and s.created_at > now() - interval '10 minutes' limit 500) l)
$$;

revoke all on function checkpost.keep_sign_in(text, uuid, text)
    from public, anon, authenticated, service_role, authenticator;
