import Foundation

@testable import checkpost_server

/// A cluster laid out as Supabase's public images lay theirs out, as far as the migrations and the box touch it: the roles with their
/// attributes, `postgres` without superuser, the schemas `auth` and `storage` of other owners with the columns that their services'
/// migrations make, everything new in `public` granted to everybody.
///
/// It is not Supabase: neither PostgREST nor GoTrue, storage or the extension supautils run here.
struct SupabaseProject {
    let cluster: PostgresCluster
    /// Who made the cluster: a superuser.
    let admin: PostgresConnection
    /// Whom a project gives to its people.
    let postgres: PostgresConnection

    init() throws {
        cluster = try PostgresCluster(superuser: "supabase_admin")
        admin = try PostgresConnection(url: cluster.url(database: "postgres", user: "supabase_admin"))
        try admin.runScript(Self.roles)
        try admin.runScript(Self.auth)
        try admin.runScript(Self.storage)
        postgres = try PostgresConnection(url: cluster.url(database: "postgres", user: "postgres"))
    }

    func connect(_ role: String) throws -> PostgresConnection {
        try PostgresConnection(url: cluster.url(database: "postgres", user: role))
    }

    /// Runs statements as the REST interface does: in one transaction, in the role of the token and with its claims.
    @discardableResult
    func request<Value>(
        _ user: String?, role: String = "authenticated", _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        try connect("authenticator").transaction { connection in
            let claims = user.map { #"{"sub": "\#($0)", "role": "\#(role)"}"# } ?? #"{"role": "\#(role)"}"#
            try connection.run(
                "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [role, claims])
            return try body(connection)
        }
    }

    private static let roles = """
        create role postgres nosuperuser createdb createrole login replication bypassrls;
        create role anon nologin noinherit;
        create role authenticated nologin noinherit;
        create role service_role nologin noinherit bypassrls;
        create role authenticator login noinherit;
        grant anon, authenticated, service_role, supabase_admin to authenticator;
        create role supabase_auth_admin login noinherit createrole;
        create role supabase_storage_admin login noinherit createrole;
        grant all on database postgres to postgres;
        alter schema public owner to pg_database_owner;
        grant all on schema public to postgres;
        grant usage on schema public to anon, authenticated, service_role;
        alter default privileges for role postgres in schema public
            grant all on tables to postgres, anon, authenticated, service_role;
        alter default privileges for role postgres in schema public
            grant all on functions to postgres, anon, authenticated, service_role;
        alter default privileges for role postgres in schema public
            grant all on sequences to postgres, anon, authenticated, service_role;
        create schema extensions;
        grant usage on schema extensions to anon, authenticated, service_role;
        grant all on schema extensions to postgres;
        create extension pgcrypto with schema extensions;
        alter role anon set statement_timeout = '3s';
        alter role authenticated set statement_timeout = '8s';
        """

    private static let auth = """
        create schema auth authorization supabase_admin;
        grant all on schema auth to supabase_auth_admin;
        grant usage on schema auth to anon, authenticated, service_role, postgres;
        create table auth.users (
            instance_id uuid, id uuid primary key, aud varchar(255), role varchar(255), email varchar(255),
            encrypted_password varchar(255), email_confirmed_at timestamptz, invited_at timestamptz,
            confirmation_token varchar(255), confirmation_sent_at timestamptz, recovery_token varchar(255),
            recovery_sent_at timestamptz, email_change_token_new varchar(255), email_change varchar(255),
            email_change_sent_at timestamptz, last_sign_in_at timestamptz, raw_app_meta_data jsonb,
            raw_user_meta_data jsonb, is_super_admin boolean, created_at timestamptz, updated_at timestamptz,
            phone text unique, phone_confirmed_at timestamptz, phone_change text default '',
            phone_change_token varchar(255) default '', phone_change_sent_at timestamptz,
            confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
            email_change_token_current varchar(255) default '', email_change_confirm_status smallint default 0,
            banned_until timestamptz, reauthentication_token varchar(255) default '',
            reauthentication_sent_at timestamptz, is_sso_user boolean not null default false, deleted_at timestamptz,
            is_anonymous boolean not null default false);
        create unique index users_email_partial_key on auth.users (email) where not is_sso_user;
        create table auth.identities (
            provider_id text not null, user_id uuid not null references auth.users on delete cascade,
            identity_data jsonb not null, provider text not null, last_sign_in_at timestamptz, created_at timestamptz,
            updated_at timestamptz, email text generated always as (lower(identity_data ->> 'email')) stored,
            id uuid primary key default gen_random_uuid(), unique (provider_id, provider));
        alter table auth.users enable row level security;
        alter table auth.identities enable row level security;
        alter table auth.users owner to supabase_auth_admin;
        alter table auth.identities owner to supabase_auth_admin;
        grant all on auth.users, auth.identities to postgres;
        create function auth.jwt() returns jsonb language sql stable as $$ select coalesce(
            nullif(current_setting('request.jwt.claim', true), ''),
            nullif(current_setting('request.jwt.claims', true), ''))::jsonb $$;
        create function auth.uid() returns uuid language sql stable as $$ select coalesce(
            nullif(current_setting('request.jwt.claim.sub', true), ''),
            nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
        alter function auth.jwt() owner to supabase_auth_admin;
        alter function auth.uid() owner to supabase_auth_admin;
        """

    private static let storage = """
        create schema storage authorization supabase_admin;
        grant all on schema storage to supabase_storage_admin with grant option;
        grant usage on schema storage to postgres, anon, authenticated, service_role;
        create table storage.buckets (
            id text primary key, name text not null unique, owner uuid, created_at timestamptz default now(),
            updated_at timestamptz default now(), public boolean default false, avif_autodetection boolean default false,
            file_size_limit bigint, allowed_mime_types text[], owner_id text);
        create table storage.objects (
            id uuid primary key default gen_random_uuid(), bucket_id text references storage.buckets, name text,
            owner uuid, created_at timestamptz default now(), updated_at timestamptz default now(),
            last_accessed_at timestamptz default now(), metadata jsonb,
            path_tokens text[] generated always as (string_to_array(name, '/')) stored, version text, owner_id text,
            user_metadata jsonb);
        create unique index bucketid_objname on storage.objects (bucket_id, name);
        alter table storage.buckets enable row level security;
        alter table storage.objects enable row level security;
        alter table storage.buckets owner to supabase_storage_admin;
        alter table storage.objects owner to supabase_storage_admin;
        grant all on storage.buckets, storage.objects to postgres with grant option;
        grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
        """
}
