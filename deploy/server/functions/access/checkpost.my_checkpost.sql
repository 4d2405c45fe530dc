-- The checkpost of the signed-in ranger; null for everybody else.
-- Called by public.accounts_open, add_evidence, change_passage, public.hand_in_text, public.news, on_passage_insert, other_roads, reference_mark, require_post, public.tell_reviews, public.text_key
-- and policies of device_settings, post_reviews and vehicle_passages.
create or replace function checkpost.my_checkpost() returns uuid
    language plpgsql stable security definer set search_path = '' as $$
begin
    return (select p.assigned_checkpost_id from public.user_profiles p join auth.users u on u.id = p.id
    where p.id = auth.uid() and p.is_active and p.role = 'ranger' and coalesce(u.banned_until <= now(), true));
end
$$;

revoke all on function checkpost.my_checkpost()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.my_checkpost() to authenticated, service_role;
