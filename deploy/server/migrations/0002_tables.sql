-- The tables that clients see. Columns beyond the pilot's published schema are at the end of each table.

-- Rules and helpers live in a schema of their own, which no client can address.
create schema if not exists checkpost;

-- The form of a plate that is compared: without spaces, upper case. 'ba 1 pa 1234' becomes 'BA1PA1234'.
create function checkpost.compact_plate(plate text) returns text
    language sql immutable strict parallel safe
    return upper(regexp_replace(plate, '\s', '', 'g'));

create table public.parks (
    id uuid primary key default gen_random_uuid(),
    name text not null unique check (length(name) between 1 and 200),
    code text not null unique check (length(code) between 1 and 10),
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table public.highway_segments (
    id uuid primary key default gen_random_uuid(),
    park_id uuid not null references public.parks,
    name text not null check (length(name) between 1 and 200),
    distance_km numeric(6,2) not null check (distance_km > 0),
    max_speed_kmh numeric(5,2) not null check (max_speed_kmh > 0),
    min_speed_kmh numeric(5,2) not null check (min_speed_kmh > 0),
    -- For people. Rounded minutes would judge otherwise than the box, so no rule reads them.
    min_travel_time_minutes numeric(8,2) generated always as ((distance_km / max_speed_kmh) * 60) stored,
    max_travel_time_minutes numeric(8,2) generated always as ((distance_km / min_speed_kmh) * 60) stored,
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    server_seq bigint not null,
    constraint highway_segments_limits_check check (min_speed_kmh < max_speed_kmh)
);

create table public.checkposts (
    id uuid primary key default gen_random_uuid(),
    segment_id uuid not null references public.highway_segments on delete cascade,
    name text not null check (length(name) between 1 and 200),
    -- It goes into an SMS between two pipes.
    code text not null unique check (code ~ '^[A-Za-z0-9_-]{1,20}$'),
    position_index smallint not null check (position_index in (0, 1)),
    latitude double precision check (latitude between -90 and 90),
    longitude double precision check (longitude between -180 and 180),
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    server_seq bigint not null,
    unique (segment_id, position_index)
);

create table public.user_profiles (
    id uuid primary key references auth.users on delete cascade,
    full_name text not null check (length(full_name) between 1 and 200),
    role text not null default 'ranger' check (role in ('ranger', 'admin')),
    phone_number text check (length(phone_number) <= 20),
    assigned_checkpost_id uuid references public.checkposts on delete set null,
    assigned_park_id uuid references public.parks on delete set null,
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table public.vehicle_passages (
    id uuid primary key default gen_random_uuid(),
    client_id uuid not null unique,
    plate_number text not null
        check (length(plate_number) <= 32 and length(checkpost.compact_plate(plate_number)) >= 1
            and plate_number !~ '[[:cntrl:]|]'),
    plate_number_raw text check (length(plate_number_raw) <= 200),
    vehicle_type text not null check (vehicle_type in ('car', 'jeep_suv', 'minibus', 'bus', 'truck', 'tanker',
        'motorcycle', 'auto_rickshaw', 'tractor', 'other')),
    checkpost_id uuid not null references public.checkposts on delete restrict,
    segment_id uuid not null references public.highway_segments on delete restrict,
    recorded_at timestamptz not null check (isfinite(recorded_at)),
    server_received_at timestamptz not null default now(),
    ranger_id uuid default auth.uid() references public.user_profiles on delete set null,
    photo_path text check (length(photo_path) <= 300),
    source text not null default 'app' check (source in ('app', 'sms')),
    matched_passage_id uuid references public.vehicle_passages on delete set null,
    is_entry boolean,
    created_at timestamptz not null default now(),
    sms_client_id uuid unique,
    acted_by text check (length(acted_by) <= 200),
    confidence double precision check (confidence between 0 and 1),
    clock_state text check (clock_state in ('synchronised', 'simulated', 'untrusted')),
    photo_sha256 text check (photo_sha256 ~ '^[0-9a-fA-F]{64}$'),
    server_seq bigint not null,
    -- Whatever a trigger does, the table itself refuses a passage matched twice or half.
    constraint vehicle_passages_matched_once unique (matched_passage_id),
    constraint vehicle_passages_matched_wholly check ((matched_passage_id is null) = (is_entry is null)),
    constraint vehicle_passages_not_itself check (matched_passage_id <> id)
);

create index vehicle_passages_plate on public.vehicle_passages (plate_number, segment_id, recorded_at desc);
create index vehicle_passages_checkpost on public.vehicle_passages (checkpost_id, recorded_at desc);
create index vehicle_passages_open on public.vehicle_passages (segment_id, recorded_at)
    where matched_passage_id is null;
create index vehicle_passages_open_plate
    on public.vehicle_passages (segment_id, checkpost.compact_plate(plate_number), recorded_at)
    where matched_passage_id is null;
create index vehicle_passages_same_second
    on public.vehicle_passages (checkpost_id, checkpost.compact_plate(plate_number), recorded_at);
create index vehicle_passages_ranger on public.vehicle_passages (ranger_id);
create unique index vehicle_passages_server_seq on public.vehicle_passages (server_seq);

create table public.violations (
    id uuid primary key default gen_random_uuid(),
    -- No cascade: a passage that is evidence can't be deleted.
    entry_passage_id uuid not null unique references public.vehicle_passages on delete restrict,
    exit_passage_id uuid not null unique references public.vehicle_passages on delete restrict,
    segment_id uuid not null references public.highway_segments on delete restrict,
    violation_type text not null check (violation_type in ('speeding', 'overstay')),
    plate_number text not null,
    vehicle_type text not null,
    entry_time timestamptz not null,
    exit_time timestamptz not null,
    travel_time_minutes numeric(14,4) not null,
    threshold_minutes numeric(14,4) not null,
    -- Null when no time passed: the speed has no number then.
    calculated_speed_kmh numeric(16,4),
    speed_limit_kmh numeric(5,2) not null,
    distance_km numeric(6,2) not null,
    alert_delivered_at timestamptz,
    created_at timestamptz not null default now(),
    server_seq bigint not null
);
create index violations_segment on public.violations (segment_id, created_at desc);
create unique index violations_server_seq on public.violations (server_seq);

create table public.violation_outcomes (
    id uuid primary key default gen_random_uuid(),
    violation_id uuid not null unique references public.violations on delete cascade,
    outcome_type text not null check (outcome_type in ('warned', 'fined', 'let_go', 'not_found', 'other')),
    fine_amount numeric(10,2) check (fine_amount >= 0),
    notes text check (length(notes) <= 4000),
    recorded_by uuid default auth.uid() references public.user_profiles on delete set null,
    recorded_at timestamptz not null default now() check (isfinite(recorded_at)),
    created_at timestamptz not null default now(),
    acted_by text check (length(acted_by) <= 200),
    server_seq bigint not null
);
create unique index violation_outcomes_server_seq on public.violation_outcomes (server_seq);

create table public.proactive_overstay_alerts (
    id uuid primary key default gen_random_uuid(),
    entry_passage_id uuid not null unique references public.vehicle_passages on delete cascade,
    segment_id uuid not null references public.highway_segments on delete restrict,
    plate_number text not null,
    vehicle_type text not null,
    entry_time timestamptz not null,
    expected_exit_by timestamptz not null,
    resolved boolean not null default false,
    resolved_at timestamptz,
    resolved_by_passage_id uuid references public.vehicle_passages on delete set null,
    created_at timestamptz not null default now(),
    server_seq bigint not null
);
create index proactive_overstay_alerts_segment on public.proactive_overstay_alerts (segment_id, created_at desc);
create unique index proactive_overstay_alerts_server_seq on public.proactive_overstay_alerts (server_seq);

create table public.sync_metadata (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid() references public.user_profiles on delete cascade,
    device_id text not null check (length(device_id) between 1 and 100),
    last_push_at timestamptz,
    last_pull_at timestamptz,
    pending_count integer not null default 0 check (pending_count >= 0),
    app_version text check (length(app_version) <= 100),
    updated_at timestamptz not null default now(),
    unique (user_id, device_id)
);

-- One row for each run of a device's synchronisation. The device chooses the id, so a repeated report is one row.
create table public.sync_runs (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid() references public.user_profiles on delete cascade,
    device_id text not null check (length(device_id) between 1 and 100),
    kind text not null check (length(kind) between 1 and 40),
    started_at timestamptz not null,
    ended_at timestamptz,
    pushed_count integer not null default 0 check (pushed_count >= 0),
    pulled_count integer not null default 0 check (pulled_count >= 0),
    photo_count integer not null default 0 check (photo_count >= 0),
    failed_count integer not null default 0 check (failed_count >= 0),
    error text check (length(error) <= 2000),
    created_at timestamptz not null default now()
);
create index sync_runs_device on public.sync_runs (user_id, device_id, started_at desc);

-- Settings that the warden changes for one post without touching its file.
create table public.device_settings (
    checkpost_id uuid primary key references public.checkposts on delete cascade,
    settings jsonb not null default '{}'
        check (jsonb_typeof(settings) = 'object' and length(settings::text) <= 20000),
    updated_at timestamptz not null default now(),
    server_seq bigint not null
);

-- Every SMS that the gateway was given, with what became of it.
create table public.sms_messages (
    id uuid primary key default gen_random_uuid(),
    message_sid text unique check (length(message_sid) <= 100),
    sender text check (length(sender) <= 100),
    body text not null check (length(body) <= 1700),
    result text not null check (result in ('inserted', 'repeated', 'refused')),
    reason text,
    passage_id uuid references public.vehicle_passages on delete set null,
    received_at timestamptz not null default now()
);
create index sms_messages_received on public.sms_messages (received_at desc);

-- The rules' own settings. A missing key means the default in checkpost.setting's callers.
create table public.server_settings (
    key text primary key check (length(key) between 1 and 100),
    value jsonb not null,
    updated_at timestamptz not null default now(),
    constraint server_settings_known check (case key
        when 'matching.window_hours' then
            jsonb_typeof(value) = 'number' and value::numeric > 0 and value::numeric <= 8760
        when 'rangers.email_domain' then
            jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^[a-z0-9-]+(\.[a-z0-9-]+)*$'
        else false end)
);
insert into public.server_settings (key, value) values
    ('matching.window_hours', '24'), ('rangers.email_domain', '"bnp.local"');

create function checkpost.window_length() returns interval
    language sql stable security definer set search_path = '' as $$
    select make_interval(secs => coalesce(
        (select (value #>> '{}')::double precision from public.server_settings where key = 'matching.window_hours'),
        24) * 3600)
$$;
