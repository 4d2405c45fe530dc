-- The second factor of a warden's sign-in: a secret that an app on a telephone has too (TOTP, RFC 6238: SHA-1, steps of 30 s, 6 digits).
create table checkpost.second_factors (
    user_id uuid primary key references auth.users on delete cascade,
    secret bytea not null check (octet_length(secret) = 20),
    begun_at timestamptz not null default now(),
    -- Null until one of its codes was typed: until then no sign-in asks for one.
    confirmed_at timestamptz,
    -- The step of the last code that was taken. Each is good once.
    last_step bigint not null default 0,
    -- Wrong codes since the last right one.
    misses integer not null default 0,
    waits_until timestamptz
);
revoke all on checkpost.second_factors from public, anon, authenticated, service_role;

alter table public.account_changes drop constraint account_changes_kind_check,
    add constraint account_changes_kind_check check (kind in ('created', 'changed', 'password', 'signed_out', 'removed',
        'second_factor_on', 'second_factor_off'));
