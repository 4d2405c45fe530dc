import Foundation
import Testing

@testable import checkpost_server

@Suite("The migrations", .timeLimit(.minutes(10)))
struct MigrationTests {
    @Test func `run once`() throws {
        let database = try TestDatabase()
        let migrations = try MigrationFile.files(inFolder: PostgresCluster.migrations)
        #expect(try Migrator(files: migrations, functions: []).migrate(database.owner).migrations == [])
    }

    private func migrate(_ folder: URL, _ database: TestDatabase) throws -> [String] {
        let files = try MigrationFile.files(inFolder: folder.path)
        return try Migrator(files: files, functions: []).migrate(database.owner).migrations
    }

    @Test func `refuse a file that was changed afterwards`() throws {
        let database = try TestDatabase(template: "template0")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("0001_a.sql")
        try "create table a (x int);".write(to: file, atomically: true, encoding: .utf8)
        #expect(try migrate(folder, database) == ["0001_a.sql"])
        try "create table b (x int);".write(to: file, atomically: true, encoding: .utf8)
        #expect(throws: Migrator.Failure.self) { try migrate(folder, database) }
    }

    @Test func `leave nothing of a file that fails`() throws {
        let database = try TestDatabase(template: "template0")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try "create table a (x int); select 1 / 0;".write(
            to: folder.appendingPathComponent("0001_a.sql"), atomically: true, encoding: .utf8)
        #expect(throws: Migrator.Failure.self) { try migrate(folder, database) }
        #expect(try database.owner.value("select to_regclass('a')") == nil)
    }

    /// What a Supabase project has before any migration, as far as the migrations touch it: owned by others, used by a
    /// role that is no superuser, with everything granted to everybody by default.
    @Test func `load in a Supabase project and leave its own parts alone`() throws {
        let database = try TestDatabase(template: "template0")
        let owner = "project_\(database.name)"
        try database.owner.runScript(
            """
            create role \(owner) login createrole bypassrls;
            alter database \(database.name) owner to \(owner);
            alter schema public owner to \(owner);
            create schema extensions; grant all on schema extensions to public;
            create extension pgcrypto with schema extensions;
            create schema auth; grant usage on schema auth to public;
            create table auth.users (instance_id uuid, id uuid primary key, aud varchar(255), role varchar(255),
                email varchar(255) unique, encrypted_password varchar(255), email_confirmed_at timestamptz,
                last_sign_in_at timestamptz, raw_app_meta_data jsonb, raw_user_meta_data jsonb, created_at timestamptz,
                updated_at timestamptz, phone text, banned_until timestamptz);
            grant all on auth.users to \(owner);
            create function auth.jwt() returns jsonb language sql stable as
                $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;
            create function auth.uid() returns uuid language sql stable as
                $$ select (auth.jwt() ->> 'sub')::uuid $$;
            create schema storage; grant usage on schema storage to public;
            create table storage.buckets (id text primary key, name text not null, owner uuid, public boolean,
                file_size_limit bigint, allowed_mime_types text[]);
            create table storage.objects (id uuid primary key default gen_random_uuid(), bucket_id text, name text,
                owner uuid, metadata jsonb);
            alter table storage.objects enable row level security;
            alter table storage.buckets owner to \(owner);
            alter table storage.objects owner to \(owner);
            alter default privileges for role \(owner) in schema public
                grant all on tables to anon, authenticated, service_role;
            alter default privileges for role \(owner) in schema public
                grant all on sequences to anon, authenticated, service_role;
            """)
        let connection = try PostgresConnection(url: database.cluster.url(database: database.name, user: owner))
        let changes = try Migrator(
            files: try MigrationFile.files(inFolder: PostgresCluster.migrations),
            functions: try FunctionFile.files(inFolder: PostgresCluster.functions)
        ).migrate(connection)
        #expect(changes.migrations.count >= 10 && changes.replacedFunctions.count > 90)
        #expect(
            try database.owner.value(
                "select count(*) from pg_attribute where attrelid = 'auth.users'::regclass and attname = 'instance_id'")
                == "1")
        try connection.runScript(String(contentsOfFile: PostgresCluster.seed, encoding: .utf8))
        let tolerance = "select tolerance_kmh = 3 and tolerance_percent = 3 from highway_segments"
        #expect(try connection.value(tolerance) == "t", "what a new park begins with")
        // The rules hold there too.
        try connection.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try connection.record("A1", at: TestDatabase.postB, "2026-11-21T10:10:00Z")
        #expect(try connection.value("select count(*) from violations") == "1")
        let ranger = try connection.value(
            """
            select checkpost.create_ranger(jsonb_build_object('username', 'hari', 'password', 'password-hari',
                'full_name', 'Hari', 'assigned_checkpost_id', $1::text,
                'assigned_park_id', 'b0000000-0000-4000-8000-000000000001')) #>> '{user,id}'
            """, [TestDatabase.postA])
        let seen = try database.asUser(ranger) { try $0.value("select count(*) from vehicle_passages") }
        #expect(seen == "2")
        #expect(throws: PostgresError.self) {
            try database.asUser(nil, role: "anon") { try $0.run("select * from vehicle_passages") }
        }
    }
}
