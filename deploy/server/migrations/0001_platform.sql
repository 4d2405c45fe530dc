-- What a Supabase project brings and a plain cluster lacks: the request roles, the `auth` and `storage` schemas.
-- Each part is made only where it is missing, so on Supabase this file changes nothing.

do $$
begin
    if to_regrole('anon') is null then create role anon nologin noinherit; end if;
    if to_regrole('authenticated') is null then create role authenticated nologin noinherit; end if;
    if to_regrole('service_role') is null then create role service_role nologin noinherit bypassrls; end if;
    -- The gateway's own login. It may become one of the three above and is nothing by itself. It has no password:
    -- the operator gives it one, or lets it in through the local socket.
    if to_regrole('authenticator') is null then
        create role authenticator login noinherit;
        grant anon, authenticated, service_role to authenticator;
    end if;
end
$$;

create schema if not exists extensions;
create extension if not exists pgcrypto with schema extensions;

do $$
begin
    if to_regclass('auth.users') is not null then return; end if;

    create schema if not exists auth;

    create table auth.users (
        id uuid primary key default gen_random_uuid(),
        aud text not null default 'authenticated',
        role text not null default 'authenticated',
        email text unique check (length(email) <= 254),
        encrypted_password text not null,
        email_confirmed_at timestamptz,
        phone text,
        last_sign_in_at timestamptz,
        raw_app_meta_data jsonb not null default '{}',
        raw_user_meta_data jsonb not null default '{}',
        banned_until timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
    );
    alter table auth.users enable row level security;

    create function auth.jwt() returns jsonb language sql stable as
        $f$ select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb $f$;
    create function auth.uid() returns uuid language sql stable as
        $f$ select nullif(auth.jwt() ->> 'sub', '')::uuid $f$;
    create function auth.role() returns text language sql stable as
        $f$ select auth.jwt() ->> 'role' $f$;

    grant usage on schema auth to anon, authenticated, service_role, authenticator;
end
$$;

do $$
begin
    if to_regclass('storage.objects') is not null then return; end if;

    create schema if not exists storage;

    create table storage.buckets (
        id text primary key,
        name text not null unique,
        public boolean not null default false,
        file_size_limit bigint,
        allowed_mime_types text[],
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
    );

    -- Rows describe the photos; their bytes are files in the gateway's folder, named by their content.
    create table storage.objects (
        id uuid primary key default gen_random_uuid(),
        bucket_id text not null references storage.buckets,
        name text not null check (length(name) <= 200),
        owner uuid default auth.uid(),
        metadata jsonb not null default '{}',
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        unique (bucket_id, name)
    );
    alter table storage.buckets enable row level security;
    alter table storage.objects enable row level security;

    grant usage on schema storage to authenticated, service_role;
    grant select on storage.buckets to service_role;
    grant select, insert, update, delete on storage.objects to authenticated, service_role;
end
$$;
