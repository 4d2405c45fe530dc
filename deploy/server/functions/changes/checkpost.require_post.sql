-- Raises what a caller may not do at a passage of this checkpost.
-- Called by change_passage and resolve_alert.
create or replace function checkpost.require_post(post uuid) returns void
    language plpgsql stable security definer set search_path = '' as $$
begin
    if checkpost.is_client() and not checkpost.is_warden() and checkpost.my_checkpost() is distinct from post then
        raise exception 'the passage is of another checkpost than the caller' using errcode = 'PT403';
    end if;
end
$$;

revoke all on function checkpost.require_post(uuid)
    from public, anon, authenticated, service_role, authenticator;
