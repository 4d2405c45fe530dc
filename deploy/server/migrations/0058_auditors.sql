-- An auditor reads what an admin reads, and changes nothing. It has no post: an older box would take it for a ranger of that post.
alter table public.user_profiles drop constraint user_profiles_role_check,
    add constraint user_profiles_role_check check (role in ('ranger', 'admin', 'auditor')),
    add constraint user_profiles_auditor_check check (role <> 'auditor' or assigned_checkpost_id is null);

create function checkpost.reads_all() returns boolean
    language sql stable security definer set search_path = '' as 'select false';
revoke all on function checkpost.reads_all() from public, anon, authenticated, service_role;
grant execute on function checkpost.reads_all() to authenticated, service_role;

-- Beside the policies that are there, on every table that an admin reads.
do $$
declare
    name text;
begin
    foreach name in array array['account_changes', 'box_updates', 'checkposts', 'deleted_passages', 'device_settings', 'evidence_chains',
        'evidence_entries', 'evidence_forks', 'highway_segments', 'listed_plates', 'outcome_changes', 'pair_changes', 'parks',
        'passage_changes', 'post_reviews', 'proactive_overstay_alerts', 'server_settings', 'sms_messages', 'sms_senders', 'sync_metadata',
        'sync_runs', 'user_profiles', 'vehicle_passages', 'violation_outcomes', 'violations', 'withdrawn_violations']
    loop
        execute format('create policy auditors_read on public.%I for select to authenticated using ((select checkpost.reads_all()))', name);
    end loop;
end
$$;
