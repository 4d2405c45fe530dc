-- Whether an account is a ranger's or a box's, which is like one: whose changes a warden may want to look at. Nobody's are a program's.
-- Called by change_passage, first_unseen and unchecked_changes.
create or replace function checkpost.is_rangers(account uuid) returns boolean
    language sql stable set search_path = '' as $$
    select exists (select from public.user_profiles u where u.id = account and u.role = 'ranger')
$$;

revoke all on function checkpost.is_rangers(uuid)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.is_rangers(uuid) to authenticated, service_role;
