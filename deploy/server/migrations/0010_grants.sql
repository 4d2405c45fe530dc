-- Who may call what. PostgreSQL lets everybody execute a new function; here it is the other way round.

revoke all on all functions in schema checkpost from public, anon, authenticated, service_role;
revoke all on all tables in schema checkpost from public, anon, authenticated, service_role;
grant usage on schema checkpost to authenticated, service_role, authenticator;

-- Read by policies, checks and invoker's triggers. None says more than the caller may know.
grant execute on function checkpost.is_signed_in(), checkpost.is_admin(), checkpost.is_client(),
    checkpost.my_checkpost(), checkpost.my_segment(), checkpost.violation_segment(uuid),
    checkpost.may_read_photo(text), checkpost.may_write_photo(text), checkpost.photo_passage_id(text),
    checkpost.compact_plate(text) to authenticated, service_role;

grant execute on function checkpost.match_passage(uuid, uuid), checkpost.create_ranger(jsonb)
    to authenticated, service_role;
grant execute on function checkpost.sign_out(text), checkpost.current_user_json() to authenticated;
grant execute on function checkpost.check_overstay(), checkpost.match_leftovers(),
    checkpost.admin_create_user(jsonb), checkpost.admin_update_user(uuid, jsonb), checkpost.admin_get_user(uuid),
    checkpost.admin_delete_user(uuid), checkpost.admin_list_users(integer, integer) to service_role;

-- What the gateway itself does, in nobody's name.
grant execute on function checkpost.sign_in(text, text, interval), checkpost.refresh_session(text, interval),
    checkpost.receive_sms(text, text, text), checkpost.sms_namespace() to authenticator;
