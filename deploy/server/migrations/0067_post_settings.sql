-- What the office set for a post, from what to what, with who, when and why, by whatever way. Decision note 0330.
create table public.setting_changes (
    id bigint generated always as identity primary key,
    -- No reference: the post may be gone.
    checkpost_id uuid not null,
    code text,
    old_settings jsonb not null,
    new_settings jsonb not null,
    reason text not null,
    -- Null when a program did it.
    changed_by uuid references public.user_profiles on delete set null,
    created_at timestamptz not null default now()
);
create index setting_changes_created on public.setting_changes (created_at desc, id desc);
alter table public.setting_changes enable row level security;
revoke all on public.setting_changes from public, anon, authenticated, service_role;
revoke all on sequence public.setting_changes_id_seq from public, anon, authenticated, service_role;
grant select on public.setting_changes to authenticated, service_role;
create policy admins_read on public.setting_changes for select to authenticated using ((select checkpost.is_admin()));
create policy auditors_read on public.setting_changes for select to authenticated using ((select checkpost.reads_all()));

create function checkpost.on_settings_kept() returns trigger language plpgsql as 'begin return null; end';
create trigger z_kept after insert or update or delete on public.device_settings
    for each row execute function checkpost.on_settings_kept();
