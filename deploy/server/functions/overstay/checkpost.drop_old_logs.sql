-- Drops what only people read and nobody needs for ever. Passages, violations and alerts are kept.
-- Called by check_overstay.
create or replace function checkpost.drop_old_logs() returns void
    language sql security definer set search_path = '' as $$
    delete from public.sync_runs where created_at < now() - interval '90 days';
    delete from public.sms_messages where received_at < now() - interval '400 days';
    delete from checkpost.post_questions where asked_at < now() - interval '400 days';
    delete from public.sign_ins where created_at < now() - interval '400 days';
$$;

revoke all on function checkpost.drop_old_logs()
    from public, anon, authenticated, service_role, authenticator;
