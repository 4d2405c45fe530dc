-- Fills in what Supabase's sign-in wants of an account: it fails on a null where it expects an empty text, looks for accounts of its one
-- instance, and names the ways to sign in as identities. Columns that are not there are left out.
-- Called by insert_user.
create or replace function checkpost.complete_account(account uuid) returns void
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

revoke all on function checkpost.complete_account(uuid)
    from public, anon, authenticated, service_role, authenticator;
