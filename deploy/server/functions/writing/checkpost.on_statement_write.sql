-- A statement that writes is known for a writer before it looks for its rows.
-- Called by the triggers a_writer of tables with server_seq.
create or replace function checkpost.on_statement_write() returns trigger
    language plpgsql set search_path = '' as $$
begin
    perform pg_current_xact_id();
    return null;
end
$$;

revoke all on function checkpost.on_statement_write()
    from public, anon, authenticated, service_role, authenticator;
