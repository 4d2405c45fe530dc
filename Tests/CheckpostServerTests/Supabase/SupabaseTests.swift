import Foundation
import TestKit
import Testing

@testable import checkpost_server

/// The migrations in a project as Supabase lays it out. What was tried is SQL, in the roles and with the settings that its services use.
@Suite("A Supabase project", .serialized, .timeLimit(.minutes(10)))
struct SupabaseTests {
    private static let park = "b0000000-0000-4000-8000-000000000001"

    /// A project with the migrations and the pilot, loaded as its people load them: with the program, as a role that is no superuser.
    private func loaded() async throws -> SupabaseProject {
        let project = try SupabaseProject()
        let url = project.cluster.url(database: "postgres", user: "postgres")
        let migrated = try await OtherProgram.run(
            CommandTests.program, ["migrate", "--owner-url", url], limitSeconds: 60)
        #expect(migrated.status == 0, "\(migrated.output)")
        #expect(migrated.output.contains("create policy passage_photos_insert on storage.objects"))
        let seeded = try await OtherProgram.run(
            CommandTests.program, ["seed", "--owner-url", url, "--file", PostgresCluster.seed], limitSeconds: 60)
        #expect(seeded.status == 0, "\(seeded.output)")
        return project
    }

    private func addRanger(_ name: String, at post: String, _ connection: PostgresConnection) throws -> String {
        let fields = try JSONSerialization.data(withJSONObject: [
            "username": "post-\(name)", "password": "password-\(name)", "full_name": name,
            "assigned_checkpost_id": post,
            "assigned_park_id": Self.park,
        ])
        // An argument without a name, as the interface passes a whole body.
        return try connection.value(
            "select public.create_ranger($1::jsonb) #>> '{user,id}'", [String(decoding: fields, as: UTF8.self)]) ?? ""
    }

    private func addAdmin(_ project: SupabaseProject) throws -> String {
        try project.postgres.value(
            """
            with account as (select (checkpost.insert_user('warden@bnp.local', 'password-w', null, null, null)).id)
            insert into user_profiles (id, full_name, role) select id, 'W', 'admin' from account returning id
            """) ?? ""
    }

    @Test func `takes the migrations from a role that is no superuser, once`() async throws {
        let project = try await loaded()
        #expect(try project.postgres.value("select rolsuper from pg_roles where rolname = current_user") == "f")
        #expect(try Migrator().migrate(project.postgres) == Migrator.Changes())
        #expect(try project.postgres.value("select count(*) from checkposts") == "2")
        #expect(try project.postgres.value("select public from storage.buckets where id = 'passage-photos'") == "f")

        // Nothing that is ours is anybody's, whatever the project grants by default.
        let open = try project.postgres.run(
            """
            select p.oid::regprocedure::text from pg_proc p
            where p.pronamespace in ('public'::regnamespace, 'checkpost'::regnamespace)
                and has_function_privilege('anon', p.oid, 'execute')
            union all
            select c.oid::regclass::text from pg_class c
            where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'S')
                and has_table_privilege('anon', c.oid, 'select')
            """)
        #expect(open.rows.isEmpty, "\(open.rows)")
    }

    @Test func `finds the functions where its interface looks for them, each for those who may`() async throws {
        let project = try await loaded()
        let admin = try addAdmin(project)
        let a = try project.request(admin) { try addRanger("a", at: TestDatabase.postA, $0) }
        let b = try project.request(admin) { try addRanger("b", at: TestDatabase.postB, $0) }
        #expect(throws: PostgresError.self) {
            try project.request(a) { try addRanger("c", at: TestDatabase.postA, $0) }
        }

        // As in any park: two passages of one plate are a match, and ten minutes for 45 km are speeding.
        try project.request(a) {
            try $0.record("BA1PA1", at: TestDatabase.postA, "2026-11-21T10:00:00Z", clientID: TestDatabase.postC)
        }
        try project.request(b) { try $0.record("BA1PA1", at: TestDatabase.postB, "2026-11-21T10:10:00Z") }
        #expect(try project.request(a) { try $0.value("select violation_type from violations") } == "speeding")

        let pair = try project.request(a) {
            let rows = try $0.run("select id from vehicle_passages order by recorded_at").rows
            return rows.compactMap { $0[0] }
        }
        let matching = "select public.match_passage(entry_passage_id => $1::uuid, exit_passage_id => $2::uuid)"
        let again = #expect(throws: PostgresError.self) { try project.request(a) { try $0.run(matching, pair) } }
        // The interface makes status 409 of it.
        #expect(again?.sqlState == "PT409")

        let change =
            #"{"id": "\#(TestDatabase.postD)", "client_id": "\#(TestDatabase.postC)", "plate_number": "BA1PA2", "#
            + #""reason": "misread", "changed_at": "2026-11-21T11:00:00Z"}"#
        #expect(
            try project.request(a) { try $0.value("select public.change_passage($1::jsonb)", [change]) }?.contains(
                "true") == true)
        #expect(try project.request(a) { try $0.value("select count(*) from violations") } == "0")
        let answer = #"{"client_id": "\#(TestDatabase.postC)", "resolved_at": "2026-11-21T12:00:00Z"}"#
        #expect(
            try project.request(a) { try $0.value("select public.resolve_alert($1::jsonb)", [answer]) }?.contains(
                "true") == true)

        let text = "select public.receive_sms('V1|BNP-A|BA1PA9|CAR|1795255530|4321', '+977', 'SM1') ->> 'result'"
        for sql in [text, "select public.check_overstay()"] {
            for user in [a, admin] {
                let refusal = #expect(throws: PostgresError.self) { try project.request(user) { try $0.run(sql) } }
                #expect(refusal?.sqlState == "42501")
            }
        }
        #expect(try project.request(nil, role: "service_role") { try $0.value(text) } == "inserted")
        #expect(
            try project.request(nil, role: "service_role") { try $0.value("select public.check_overstay()") }?
                .contains("alerts_created") == true)
        #expect(throws: PostgresError.self) { try project.request(nil, role: "anon") { try $0.run(matching, pair) } }
    }

    @Test func `makes accounts that its sign-in takes`() async throws {
        let project = try await loaded()
        let ranger = try addRanger("hari", at: TestDatabase.postA, project.postgres)
        // Read as texts and not as perhaps a text: one null, and nobody signs in.
        let row = try project.admin.run(
            """
            select confirmation_token, recovery_token, email_change, email_change_token_new, email_change_token_current,
                phone_change, phone_change_token, reauthentication_token from auth.users where id = $1::uuid
            """, [ranger])
        #expect(row.rows == [Array(repeating: "", count: 8)])
        let account = try project.admin.run(
            """
            select aud, role, instance_id, email_confirmed_at is not null, confirmed_at is not null, is_sso_user, is_super_admin,
                encrypted_password like '$2a$10$%', encrypted_password = extensions.crypt('password-hari', encrypted_password),
                raw_app_meta_data ->> 'provider'
            from auth.users where id = $1::uuid
            """, [ranger])
        #expect(
            account.rows == [
                [
                    "authenticated", "authenticated", "00000000-0000-0000-0000-000000000000", "t", "t", "f", "f", "t",
                    "t", "email",
                ]
            ])
        let identity = try project.admin.run(
            "select provider, provider_id, email, identity_data ->> 'sub' from auth.identities where user_id = $1::uuid",
            [ranger])
        #expect(identity.rows == [["email", ranger, "post-hari@bnp.local", ranger]])

        // One of before is completed by the migration's own function, once.
        let old =
            try project.postgres.value(
                """
                insert into auth.users (id, aud, role, email) values (gen_random_uuid(), 'authenticated', 'authenticated',
                    'old@bnp.local') returning id
                """) ?? ""
        #expect(
            try project.admin.value("select confirmation_token is null from auth.users where id = $1::uuid", [old])
                == "t")
        for _ in 0..<2 { try project.postgres.run("select checkpost.complete_account($1::uuid)", [old]) }
        #expect(
            try project.admin.value("select confirmation_token from auth.users where id = $1::uuid", [old])?.isEmpty
                == true)
        #expect(try project.admin.value("select count(*) from auth.identities where user_id = $1::uuid", [old]) == "1")
    }

    @Test func `keeps photos apart once the owner of storage has made the policies that the migrations may not`()
        async throws
    {
        let project = try await loaded()
        let missing = try Migrator().missingStoragePolicies(project.postgres)
        #expect(missing.count >= 4)
        let a = try addRanger("a", at: TestDatabase.postA, project.postgres)
        let b = try addRanger("b", at: TestDatabase.postB, project.postgres)
        let passage = try project.request(a) {
            try $0.record("BA1PA1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        }
        let upload = "insert into storage.objects (bucket_id, name) values ('passage-photos', $1) returning id"
        let name = "\(passage ?? "").jpg"
        // Without them nobody stores a photo.
        #expect(throws: PostgresError.self) { try project.request(a) { try $0.run(upload, [name]) } }

        let storage = try project.connect("supabase_storage_admin")
        for policy in missing { try storage.runScript(policy) }
        #expect(try Migrator().missingStoragePolicies(project.postgres) == [])
        #expect(throws: PostgresError.self) { try project.request(b) { try $0.run(upload, [name]) } }
        #expect(try project.request(a) { try $0.run(upload, [name]) }.rows.count == 1)
        #expect(try project.request(b) { try $0.value("select count(*) from storage.objects") } == "1")
        #expect(try project.request(nil, role: "anon") { try $0.value("select count(*) from storage.objects") } == "0")
    }
}
