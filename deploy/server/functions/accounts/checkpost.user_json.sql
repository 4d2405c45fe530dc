-- An account as the interface shows it.
-- Called by admin_create_user, admin_get_user, admin_list_users, admin_update_user, begin_session, current_user_json and refresh_session.
create or replace function checkpost.user_json(account auth.users) returns jsonb
    language sql stable set search_path = '' as $$
    select jsonb_build_object('id', account.id, 'aud', account.aud, 'role', account.role, 'email', account.email,
        'phone', coalesce(account.phone, ''), 'email_confirmed_at', account.email_confirmed_at,
        'confirmed_at', account.email_confirmed_at, 'last_sign_in_at', account.last_sign_in_at,
        'app_metadata', account.raw_app_meta_data, 'user_metadata', account.raw_user_meta_data,
        'identities', '[]'::jsonb, 'is_anonymous', false,
        'created_at', account.created_at, 'updated_at', account.updated_at)
$$;

revoke all on function checkpost.user_json(auth.users)
    from public, anon, authenticated, service_role, authenticator;
