-- The accounts as the warden's page shows them: {id, email, full_name, role, phone_number, checkpost, is_active, last_seen, sessions,
-- session_list: [{id, began, last}] (the newest 20), has_second_factor}, those that are active first, then by name.
-- At most 1,000. For admins, wardens and auditors.
-- Called by the gateway.
create or replace function checkpost.people() returns jsonb
    language plpgsql stable security definer set search_path = '' as $$
begin
    if checkpost.is_client() and not checkpost.reads_all() then
        raise exception 'only an admin, warden or auditor sees the accounts' using errcode = 'PT403';
    end if;
    return (select coalesce(jsonb_agg(to_jsonb(l) order by not l.is_active, l.full_name, l.id), '[]') from (select * from (
        select p.id, u.email, p.full_name, p.role, p.phone_number, c.code as checkpost, c.id as post,
            p.is_active and coalesce(u.banned_until <= now(), true) as is_active,
            (extract(epoch from greatest(u.last_sign_in_at, (select max(m.updated_at) from public.sync_metadata m
                where m.user_id = p.id))) * 1000000)::bigint as last_seen,
            (select count(distinct t.session_id) from checkpost.refresh_tokens t
                where t.user_id = p.id and t.expires_at > now()) as sessions,
            (select coalesce(jsonb_agg(jsonb_build_object('id', l.session_id, 'began', l.began, 'last', l.last) order by l.last desc), '[]')
                from (select t.session_id, (extract(epoch from min(t.created_at)) * 1000000)::bigint as began,
                        (extract(epoch from max(t.created_at)) * 1000000)::bigint as last
                    from checkpost.refresh_tokens t where t.user_id = p.id and t.expires_at > now()
                    group by t.session_id order by 3 desc limit 20) l) as session_list,
            exists (select from checkpost.second_factors f where f.user_id = p.id and f.confirmed_at is not null) as has_second_factor
        from public.user_profiles p join auth.users u on u.id = p.id
            left join public.checkposts c on c.id = p.assigned_checkpost_id) every
        order by not every.is_active, every.full_name, every.id limit 1000) l);
end
$$;

revoke all on function checkpost.people()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.people() to authenticated, service_role;
