-- A warden judges records by the functions that judge anew and write the audit; accounts, roads and settings stay an admin's.
alter table public.user_profiles drop constraint user_profiles_role_check,
    add constraint user_profiles_role_check check (role in ('ranger', 'warden', 'admin', 'auditor')),
    drop constraint user_profiles_auditor_check,
    add constraint user_profiles_post_check check (role not in ('warden', 'auditor') or assigned_checkpost_id is null);

create function checkpost.is_warden() returns boolean
    language sql stable security definer set search_path = '' as 'select false';
revoke all on function checkpost.is_warden() from public, anon, authenticated, service_role;
grant execute on function checkpost.is_warden() to authenticated, service_role;
