-- Times that no honest client sends, in every column that a client fills; 0012 did it for a passage's own. One of them far ahead made every
-- page fail that works it into a number. Rows that were stored before are brought within bounds: to the time at which they came.
create function checkpost.is_plausible(moment timestamptz) returns boolean
    language sql immutable set search_path = '' as 'select true';
revoke all on function checkpost.is_plausible(timestamptz) from public, anon, authenticated, service_role;
grant execute on function checkpost.is_plausible(timestamptz) to authenticated, service_role;

do $$
declare
    bounded text[];
begin
    foreach bounded slice 1 in array array[
        ['post_reviews', 'as_of', 'updated_at'],
        ['violation_outcomes', 'recorded_at', 'created_at'],
        ['proactive_overstay_alerts', 'resolved_at', 'created_at'],
        ['passage_changes', 'changed_at', 'created_at'],
        ['violations', 'alert_delivered_at', 'created_at'],
        ['sync_metadata', 'last_push_at', 'updated_at'],
        ['sync_metadata', 'last_pull_at', 'updated_at'],
        ['sync_runs', 'started_at', 'created_at'],
        ['sync_runs', 'ended_at', 'created_at']
    ] loop
        execute format('update public.%1$I set %2$I = %3$I where %2$I < timestamptz ''1970-01-01 00:00:00+00'''
            || ' or %2$I >= timestamptz ''2100-01-01 00:00:00+00''', bounded[1], bounded[2], bounded[3]);
        execute format('alter table public.%I add constraint %I check (checkpost.is_plausible(%I))',
            bounded[1], bounded[1] || '_' || bounded[2] || '_plausible', bounded[2]);
    end loop;
end
$$;

-- By which text a number was confirmed; null where a warden wrote it. Two numbers that send the same text confirm neither.
alter table public.sms_senders add column sms_client_id uuid;
create index sms_senders_text on public.sms_senders (sms_client_id);

-- The rule of note 0243 knows the text.
drop function if exists checkpost.learn_number(uuid, text);

-- An account that is switched off is signed out, whoever switches it.
create function checkpost.on_account_switched() returns trigger language plpgsql as 'begin return null; end';
create trigger y_switched after update of is_active on public.user_profiles
    for each row execute function checkpost.on_account_switched();
delete from checkpost.refresh_tokens t using public.user_profiles p where p.id = t.user_id and not p.is_active;
