-- Notes when a row was changed last.
-- Called by the triggers t_touch of tables with updated_at.
create or replace function checkpost.on_row_touch() returns trigger
    language plpgsql as $$
begin
    if new is distinct from old then new.updated_at := now(); end if;
    return new;
end
$$;

revoke all on function checkpost.on_row_touch()
    from public, anon, authenticated, service_role, authenticator;
