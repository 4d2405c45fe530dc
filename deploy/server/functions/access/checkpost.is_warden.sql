-- Whether the request is that of somebody who judges records of every segment: an active warden or admin. Functions ask it that judge anew
-- and write the audit; no policy does, so that a warden changes no table by itself.
-- Called by change_passage, check_change, end_listing, judge_vehicles, list_plate, match_passage, on_outcome_change, put_outcome, require_post,
-- undo_pair_change and the gateway.
create or replace function checkpost.is_warden() returns boolean
    language plpgsql stable security definer set search_path = '' as $$
begin
    return exists (select from public.user_profiles p join auth.users u on u.id = p.id
        where p.id = auth.uid() and p.is_active and p.role in ('warden', 'admin') and coalesce(u.banned_until <= now(), true));
end
$$;

revoke all on function checkpost.is_warden()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.is_warden() to authenticated, service_role;
