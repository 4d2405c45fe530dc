-- Whether this is a code of the account's secret, now or a step before or after; a code is taken once. After five wrong ones none is taken for a
-- quarter of an hour, and so on after each five more.
-- Called by confirm_second_factor, end_second_factor and sign_in_second.
create or replace function checkpost.takes_code(account uuid, code text) returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    factor checkpost.second_factors;
    now_step bigint := floor(extract(epoch from now()) / 30);
    typed text := regexp_replace(coalesce(code, ''), '\s', '', 'g');
    found_step bigint;
begin
    select f.* into factor from checkpost.second_factors f where f.user_id = account for update;
    if not found or factor.waits_until > now() then return false; end if;
    select s into found_step from generate_series(now_step - 1, now_step + 1) s
        where s > factor.last_step and checkpost.totp(factor.secret, s) = typed order by s limit 1;
    if found_step is null then
        update checkpost.second_factors f set misses = f.misses + 1,
            waits_until = case when (f.misses + 1) % 5 = 0 then now() + interval '15 minutes' else f.waits_until end
            where f.user_id = account;
        return false;
    end if;
    update checkpost.second_factors f set last_step = found_step, misses = 0, waits_until = null where f.user_id = account;
    return true;
end
$$;

revoke all on function checkpost.takes_code(uuid, text)
    from public, anon, authenticated, service_role, authenticator;
