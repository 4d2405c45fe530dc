-- Refuses a password that is too short, or longer than its hash takes in.
-- Called by admin_update_user, change_own_password, create_ranger and insert_user.
create or replace function checkpost.check_password(password text) returns void
    language plpgsql immutable set search_path = '' as $$
begin
    -- bcrypt reads 72 bytes and ignores the rest.
    if password is null or length(password) < 8 or octet_length(password) > 72 then
        raise exception 'a password has 8 characters at least and 72 bytes at most' using errcode = 'PT400';
    end if;
end
$$;

revoke all on function checkpost.check_password(text)
    from public, anon, authenticated, service_role, authenticator;
