-- Functions stand one a file in deploy/server/functions. `checkpost-server migrate` puts those in place whose text is another than the one
-- that was applied, in the transaction of the migrations. A migration is for tables, triggers and policies; it changes no function.

-- Which functions are here. `run` compares them with its own, as it compares migrations.
create table checkpost.schema_functions (
    -- The name of its file.
    name text primary key,
    -- As PostgreSQL writes it with an empty search path: checkpost.match_passage(uuid,uuid).
    signature text not null unique,
    -- Of the file's bytes, in hexadecimal.
    sha256 text not null,
    -- Of what PostgreSQL has made of it: a function that somebody replaced by hand shows.
    fingerprint text not null,
    applied_at timestamptz not null default now()
);
revoke all on checkpost.schema_functions from public, anon, authenticated, service_role;
-- Names and hashes of files are nobody's secret.
grant select on checkpost.schema_functions to authenticator;

-- Functions that earlier migrations made and that have no file: their rules stand in the function that called them, or nobody calls them.
-- They go together with the function that calls them now, when the files are put in place.
insert into checkpost.schema_functions (name, signature, sha256, fingerprint)
select f.signature, f.signature, '', '' from unnest(array[
    'checkpost.change_known_passage(jsonb)', 'checkpost.change_locked_passage(jsonb)', 'checkpost.change_passage_of_post(jsonb)',
    'checkpost.match_any_time(uuid,uuid)', 'checkpost.record_arrived_sms(text)', 'checkpost.record_wanted_sms(text)',
    'checkpost.insert_bare_user(text,text,text,jsonb,jsonb)', 'checkpost.check_overstay(integer)',
    'checkpost.check_overstay(integer,timestamp with time zone)', 'checkpost.has_account(uuid)', 'checkpost.lock_writes()',
    'checkpost.on_statement_lock()']) f (signature)
where to_regprocedure(f.signature) is not null;
