-- Makes a new secret for the caller's own account, and says it, in hexadecimal. It asks nothing at a sign-in until one of its codes was typed.
-- For wardens, admins and auditors: a box signs in alone.
-- Called by the gateway.
create or replace function checkpost.begin_second_factor() returns text
    language plpgsql security definer set search_path = '' as $$
declare
    made bytea := extensions.gen_random_bytes(20);
begin
    if not checkpost.reads_all() then raise exception 'only who reads all has a second factor' using errcode = 'PT403'; end if;
    insert into checkpost.second_factors as f (user_id, secret) values (auth.uid(), made)
    on conflict (user_id) do update set secret = made, begun_at = now() where f.confirmed_at is null;
    if not found then
        raise exception 'there is a second factor already' using errcode = 'PT409', detail = 'error_second_factor_is_on';
    end if;
    return encode(made, 'hex');
end
$$;

revoke all on function checkpost.begin_second_factor()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.begin_second_factor() to authenticated;
