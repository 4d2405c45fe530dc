-- Which of these accounts may use the console of the caller's post: {"names": […]} with up to a hundred e-mail addresses gives those among
-- them that are active, not banned, and of that post or wardens. A box asks once a minute about the people who have signed in at it, so that
-- somebody whom the warden switches off is out at the box as well. A caller without a post learns nothing.
-- Called by clients.
create or replace function public.accounts_open(jsonb) returns jsonb
    language sql stable security definer set search_path = '' as $$
    select coalesce(jsonb_agg(u.email order by u.email), '[]')
    from auth.users u join public.user_profiles p on p.id = u.id
    where checkpost.my_checkpost() is not null
        and case jsonb_typeof($1 -> 'names') when 'array' then jsonb_array_length($1 -> 'names') <= 100 else false end
        and $1 -> 'names' ? u.email::text
        and p.is_active and coalesce(u.banned_until <= now(), true)
        and (p.role = 'admin' or p.assigned_checkpost_id = checkpost.my_checkpost())
$$;

revoke all on function public.accounts_open(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function public.accounts_open(jsonb) to authenticated, service_role;
