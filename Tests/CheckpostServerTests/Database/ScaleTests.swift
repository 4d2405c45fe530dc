import Foundation
import Testing

@testable import checkpost_server

@Suite("A server that grows", .timeLimit(.minutes(10)))
struct ScaleTests {
    /// deploy/docs/scale.md.
    private static func page() throws -> String {
        try String(
            contentsOf: PostgresCluster.package.appendingPathComponent("deploy/docs/scale.md"), encoding: .utf8)
    }

    @Test func `lets no writer wait for one of another road or of another vehicle, and none for a round`() throws {
        let database = try TestDatabase()
        let slow = try database.connect()
        try slow.run("begin")
        try slow.record("BA1PA1", at: TestDatabase.postA, TestDatabase.hoursAgo(2))
        let others = try database.connect()
        try others.run("set lock_timeout = '5s'")
        try others.record("BA1PA1", at: TestDatabase.postC, TestDatabase.hoursAgo(2))
        // Another second: of one second and post a text and its upload look for each other.
        try others.record("BA1PA2", at: TestDatabase.postA, TestDatabase.hoursAgo(1.9))
        try others.record("BA1PA2", at: TestDatabase.postB, TestDatabase.hoursAgo(1))
        #expect(try others.value("select count(*) from violations") == "1")
        // The vehicle of the other road, which is a short one, is over its time.
        #expect(try others.value("select checkpost.check_overstay()") == "1")
        // The same vehicle on the same road does wait: the second sees the first.
        try others.run("set lock_timeout = '100ms'")
        #expect(throws: PostgresError.self) {
            try others.record("BA1PA1", at: TestDatabase.postB, TestDatabase.hoursAgo(1))
        }
        try slow.run("commit")
        try others.record("BA1PA1", at: TestDatabase.postB, TestDatabase.hoursAgo(1))
        #expect(try others.value("select count(*) from violations") == "2")
    }

    @Test func `plans nothing anew that each insert of a post asks`() throws {
        let database = try TestDatabase()
        // A function in SQL that is not written into its caller (it has rights or a path of its own) is planned in each transaction.
        let planned = try database.owner.run(
            """
            select p.proname from pg_proc p join pg_language l on l.oid = p.prolang
            where p.pronamespace = 'checkpost'::regnamespace and l.lanname = 'sql' and (p.prosecdef or p.proconfig is not null)
                and p.proname in ('caller_state', 'is_client', 'is_admin', 'my_checkpost', 'my_segment', 'reads_all', 'is_gone_row',
                    'is_deleted_passage', 'is_plausible', 'is_unproven_text', 'are_parted', 'lock_arrival', 'lock_plate', 'lock_name',
                    'window_length', 'pairs_around', 'match_around', 'merge_upload', 'next_number', 'unproven_texts')
            """
        ).rows.compactMap(\.[0])
        #expect(planned.isEmpty, "\(planned)")
    }

    @Test func `asks for the vacuum of its passages after a hundredth of them, not after a fifth`() throws {
        let database = try TestDatabase()
        let options = try database.owner.value(
            "select array_to_string(reloptions, ' ') from pg_class where oid = 'public.vehicle_passages'::regclass")
        #expect(options?.contains("autovacuum_vacuum_insert_scale_factor=0.01") == true, "\(options ?? "")")
        #expect(options?.contains("autovacuum_analyze_scale_factor=0.01") == true, "\(options ?? "")")
    }

    @Test func `runs where nobody is a superuser, as with a provider, if the roles are there`() throws {
        let database = try TestDatabase(template: "template0")
        let (name, role) = (database.name, "managed_\(UUID().uuidString.prefix(8).lowercased())")
        try database.owner.run("create role \(role) login createrole")
        try database.owner.run("alter database \(name) owner to \(role)")
        let owner = try PostgresConnection(url: database.cluster.url(database: name, user: role))
        #expect(try owner.value("select rolsuper from pg_roles where rolname = current_user") == "f")
        let migrator = Migrator(
            files: try MigrationFile.files(inFolder: PostgresCluster.migrations),
            functions: try FunctionFile.files(inFolder: PostgresCluster.functions))
        _ = try migrator.migrate(owner)
        try owner.runScript(String(contentsOfFile: PostgresCluster.seed, encoding: .utf8))
        try owner.record("BA1PA1", at: TestDatabase.postA, TestDatabase.hoursAgo(2))
        try owner.record("BA1PA1", at: TestDatabase.postB, TestDatabase.hoursAgo(1.5))
        #expect(try owner.value("select violation_type from violations") == "speeding")
        #expect(try database.asUser(nil) { try $0.value("select count(*) from vehicle_passages") } == "0")
    }

    @Test func `has keys without the road in them, which is why it is not spread over machines: the page names them`()
        throws
    {
        let database = try TestDatabase()
        let page = try Self.page()
        // What Citus demands of a table that is distributed by the road: each unique key and each reference between such tables has it.
        let found = try database.owner.run(
            """
            with roads as (
                select a.attrelid as id, a.attnum as road from pg_attribute a join pg_class c on c.oid = a.attrelid
                where a.attname = 'segment_id' and c.relkind = 'r' and c.relname in ('vehicle_passages', 'violations',
                    'proactive_overstay_alerts', 'passage_changes', 'deleted_passages', 'withdrawn_violations')
            )
            select i.indexrelid::regclass::text from pg_index i join roads r on r.id = i.indrelid
            where i.indisunique and not r.road = any (i.indkey::int2[])
            union all
            select c.conname from pg_constraint c join roads r on r.id = c.confrelid
            where c.contype = 'f' and c.conrelid in (select id from roads)
                and not (select s.road from roads s where s.id = c.conrelid) = any (c.conkey)
            """
        ).rows.compactMap(\.[0])
        #expect(found.count > 10)
        for name in found { #expect(page.contains("`\(name)`"), "\(name)") }
        let named = page.matches(of: /`([a-z_]+_(?:pkey|key|fkey|once|server_seq))`/).map { String($0.output.1) }
        for name in named { #expect(found.contains(name), "\(name) carries the road, or is gone") }
    }

    @Test func `could not take a record twice without harm if it were partitioned: PostgreSQL refuses the key`() throws
    {
        let database = try TestDatabase()
        try database.owner.run(
            "create table parts (client_id uuid not null, recorded_at timestamptz not null) partition by range (recorded_at)"
        )
        try database.owner.run("create table part partition of parts default")
        #expect(throws: PostgresError.self) { try database.owner.run("alter table parts add unique (client_id)") }
        try database.owner.run("create unique index on parts (client_id, recorded_at)")
        // What every box sends, through any server that speaks PostgREST's language.
        let error = #expect(throws: PostgresError.self) {
            try database.owner.run(
                "insert into parts values (gen_random_uuid(), now()) on conflict (client_id) do nothing")
        }
        #expect(error?.sqlState == "42P10")
    }
}
