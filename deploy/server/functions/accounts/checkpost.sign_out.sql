-- Ends sessions of the signed-in user: 'local' this one, 'others' all but this one, 'global' all.
-- Called by change_own_password, confirm_second_factor and the gateway.
create or replace function checkpost.sign_out(scope text) returns void
    language sql security definer set search_path = '' as $$
    delete from checkpost.refresh_tokens t where t.user_id = auth.uid() and case scope
        when 'local' then t.session_id::text = auth.jwt() ->> 'session_id'
        when 'others' then t.session_id::text is distinct from auth.jwt() ->> 'session_id'
        else true end
$$;

revoke all on function checkpost.sign_out(text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.sign_out(text) to authenticated;
