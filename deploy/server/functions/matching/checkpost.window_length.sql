-- How far apart two passages of one vehicle may be to be matched: the setting matching.window_hours, 24 hours by default.
-- Called by alike_passages, match_candidates, match_passage, pairs_around and text_clock.
create or replace function checkpost.window_length() returns interval
    language plpgsql stable security definer set search_path = '' as $$
begin
    return make_interval(secs => coalesce(
        (select (value #>> '{}')::double precision from public.server_settings where key = 'matching.window_hours'),
        24) * 3600);
end
$$;

revoke all on function checkpost.window_length()
    from public, anon, authenticated, service_role, authenticator;
