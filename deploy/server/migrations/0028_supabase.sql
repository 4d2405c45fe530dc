-- What a Supabase project needs beyond a plain cluster: functions where its REST interface finds them, and accounts that its own sign-in
-- takes. In a plain cluster the first part is another door to the same functions, and the second changes nothing.

-- PostgREST shows functions of the schema public under /rest/v1/rpc/<name>. A single argument without a name is the whole body.
-- Errors with SQLSTATE PTnnn are answered with status nnn there, too.
create function public.match_passage(entry_passage_id uuid, exit_passage_id uuid) returns jsonb
    language sql volatile set search_path = '' as $$ select checkpost.match_passage($1, $2) $$;
create function public.change_passage(jsonb) returns jsonb
    language sql volatile set search_path = '' as $$ select checkpost.change_passage($1) $$;
create function public.resolve_alert(jsonb) returns jsonb
    language sql volatile set search_path = '' as $$ select checkpost.resolve_alert($1) $$;
create function public.create_ranger(jsonb) returns jsonb
    language sql volatile set search_path = '' as $$ select checkpost.create_ranger($1) $$;

-- For the service alone. They run as the owner, since what they call is nobody's else.
create function public.check_overstay() returns jsonb
    language sql volatile security definer set search_path = '' as
    $$ select jsonb_build_object('alerts_created', checkpost.check_overstay()) $$;
-- Whoever calls this has checked the signature of the SMS provider.
create function public.receive_sms(message text, sender text, message_sid text) returns jsonb
    language sql volatile security definer set search_path = '' as $$ select checkpost.receive_sms($1, $2, $3) $$;

-- A Supabase project lets everybody execute what is new in public.
revoke all on function public.match_passage(uuid, uuid), public.change_passage(jsonb), public.resolve_alert(jsonb),
    public.create_ranger(jsonb), public.check_overstay(), public.receive_sms(text, text, text)
    from public, anon, authenticated, service_role;
grant execute on function public.match_passage(uuid, uuid), public.change_passage(jsonb), public.resolve_alert(jsonb),
    public.create_ranger(jsonb) to authenticated, service_role;
grant execute on function public.check_overstay(), public.receive_sms(text, text, text) to service_role;

-- Fills in what Supabase's sign-in wants of an account: it fails on a null where it expects an empty text, looks for accounts of its one
-- instance, and names the ways to sign in as identities. Columns that are not there are left out.
create function checkpost.complete_account(account uuid) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    settings text;
begin
    select string_agg(format('%I = coalesce(%I, %s)', a.attname, a.attname, w.value), ', ') into settings
    from pg_catalog.pg_attribute a
        join (values ('confirmation_token', ''''''), ('recovery_token', ''''''), ('email_change', ''''''),
            ('email_change_token_new', ''''''), ('email_change_token_current', ''''''), ('phone_change', ''''''),
            ('phone_change_token', ''''''), ('reauthentication_token', ''''''), ('is_super_admin', 'false'),
            ('instance_id', '''00000000-0000-0000-0000-000000000000''::uuid')) w (name, value) on w.name = a.attname
    where a.attrelid = 'auth.users'::regclass and not a.attisdropped and a.attgenerated = '';
    if settings is not null then execute format('update auth.users set %s where id = $1', settings) using account; end if;

    if exists (select from pg_catalog.pg_attribute a where a.attrelid = to_regclass('auth.identities') and a.attname = 'provider_id')
    then
        execute $insert$
            insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
            select u.id::text, u.id, jsonb_build_object('sub', u.id::text, 'email', u.email, 'email_verified', true,
                'phone_verified', false), 'email', null, now(), now()
            from auth.users u where u.id = $1
                and not exists (select from auth.identities i where i.user_id = u.id and i.provider = 'email')
            $insert$ using account;
    end if;
end
$$;
revoke all on function checkpost.complete_account(uuid) from public, anon, authenticated, service_role;

-- As before, and complete.
alter function checkpost.insert_user(text, text, text, jsonb, jsonb) rename to insert_bare_user;
create function checkpost.insert_user(email text, password text, phone text, app_metadata jsonb, user_metadata jsonb)
    returns auth.users language plpgsql security definer set search_path = '' as $$
declare
    account auth.users := checkpost.insert_bare_user(email, password, phone, app_metadata, user_metadata);
begin
    perform checkpost.complete_account(account.id);
    return account;
end
$$;
revoke all on function checkpost.insert_user(text, text, text, jsonb, jsonb) from public, anon, authenticated, service_role;

-- Accounts that earlier versions of these functions made.
do $$ begin perform checkpost.complete_account(p.id) from public.user_profiles p; end $$;

-- The owner of storage.objects makes the policies that call functions of ours, where the migrations may not.
do $$
begin
    if to_regrole('supabase_storage_admin') is not null then
        grant usage on schema checkpost to supabase_storage_admin;
    end if;
end
$$;

notify pgrst, 'reload schema';
