-- The next server_seq. A transaction's first one is announced to readers by a lock and a row: decision note 0163 says why that lets numbers
-- become visible in order without writers waiting for each other.
-- Called by on_row_number.
create or replace function checkpost.next_number() returns bigint
    language plpgsql security definer set search_path = '' as $$
declare
    me xid8 := pg_current_xact_id();
    low_number bigint;
begin
    if coalesce(current_setting('checkpost.numbering', true), '') <> me::text then
        -- A frozen snapshot would match against rows as they were: two passages that arrive together would miss each other.
        if current_setting('transaction_isolation') <> 'read committed' then
            raise exception 'rows are written in read committed transactions' using errcode = '25001';
        end if;
        select case when s.is_called then s.last_value else s.last_value - 1 end into low_number from public.server_seq s;
        perform pg_advisory_xact_lock_shared((7215::bigint << 48) | low_number);
        insert into checkpost.recent_writers (writer, low) values (me, low_number) on conflict do nothing;
        perform set_config('checkpost.numbering', me::text, true);
    end if;
    return nextval('public.server_seq');
end
$$;

revoke all on function checkpost.next_number()
    from public, anon, authenticated, service_role, authenticator;
