-- Whether the file of these contents may go: no photo has them. Nobody takes them into use until the transaction ends (PhotoHandler). The file
-- is looked after no more: whoever asks removes it in the same transaction.
-- Called by the gateway.
create or replace function checkpost.settle_photo(contents text) returns boolean
    language plpgsql security definer set search_path = '' as $$
begin
    perform pg_advisory_xact_lock(hashtextextended(contents, 1));
    delete from checkpost.loose_photos l where l.hash = contents;
    return not exists (select from storage.objects o where o.bucket_id = 'passage-photos' and o.metadata ->> 'eTag' = contents);
end
$$;

revoke all on function checkpost.settle_photo(text)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.settle_photo(text) to service_role;
