-- Whether the request is that of somebody who reads the records of every segment: an active admin, warden or auditor. What they change is
-- another question: is_warden and is_admin answer it.
-- Called by begin_second_factor, change_own_password, confirm_second_factor, doubtful_pairs, end_second_factor, find_passages, match_candidates, may_read_photo, people, post_question_list, roads, text_key_state,
-- the gateway and policies.
create or replace function checkpost.reads_all() returns boolean
    language plpgsql stable security definer set search_path = '' as $$
begin
    return exists (select from public.user_profiles p join auth.users u on u.id = p.id
        where p.id = auth.uid() and p.is_active and p.role in ('admin', 'warden', 'auditor') and coalesce(u.banned_until <= now(), true));
end
$$;

revoke all on function checkpost.reads_all()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.reads_all() to authenticated, service_role;
