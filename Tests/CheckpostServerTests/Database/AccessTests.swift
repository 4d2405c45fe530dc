import Foundation
import Testing

@testable import checkpost_server

@Suite("Row level security", .timeLimit(.minutes(10)))
struct AccessTests {
    let database: TestDatabase
    let hari: String
    let other: String
    let admin: String
    let passage: String

    init() throws {
        database = try TestDatabase()
        hari = try database.addUser("hari", post: TestDatabase.postA)
        other = try database.addUser("other", post: TestDatabase.postC)
        admin = try database.addUser("admin", role: "admin")
        passage = try database.asUser(hari) { connection in
            try connection.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z") ?? ""
        }
        try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
        try database.owner.record("A2", at: TestDatabase.postB, "2026-11-21T06:30:00Z")
        try database.owner.overstayRound()
    }

    static let tables = [
        "parks", "highway_segments", "checkposts", "user_profiles", "vehicle_passages", "violations",
        "violation_outcomes", "proactive_overstay_alerts", "sync_metadata", "sync_runs", "device_settings",
        "sms_messages", "server_settings", "pair_changes", "change_approvals",
    ]

    /// The SQLSTATE that `body` fails with; nil when it doesn't.
    private func state<Value>(_ body: () throws -> Value) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? PostgresError)?.sqlState
        }
    }

    private func count(_ table: String, as user: String) throws -> String? {
        try database.asUser(user) { try $0.value("select count(*) from \(table)") }
    }

    @Test func `lets a post say when it first showed an alert, and change nothing else of a violation`() throws {
        func tell(_ time: String, as user: String) throws -> String? {
            try database.asUser(user) {
                try $0.value("update violations set alert_delivered_at = \(time) returning alert_delivered_at::text")
            }
        }
        func kept() throws -> String? {
            try database.owner.value("select alert_delivered_at at time zone 'utc' from violations")
        }
        #expect(try tell("now()", as: other) == nil, "another segment's")
        #expect(try kept() == nil)
        _ = try tell("'2026-11-21T10:40:00Z'", as: hari)
        _ = try tell("'2026-11-21T10:50:00Z'", as: hari)
        #expect(try kept() == "2026-11-21 10:40:00", "a later screen")
        _ = try tell("null", as: hari)
        #expect(try kept() == "2026-11-21 10:40:00", "nothing takes it back")
        _ = try tell("'2020-01-01T00:00:00Z'", as: hari)
        #expect(try kept() == "2026-11-21 10:30:00", "not before the vehicle came out")
        #expect(
            state { try database.asUser(hari) { try $0.run("update violations set calculated_speed_kmh = 30") } }
                == "42501")
    }

    @Test func `is on for every table that clients reach`() throws {
        let open = try database.owner.run(
            "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relrowsecurity"
        ).rows
        #expect(open == [])
    }

    @Test(arguments: tables)
    func `refuses an anonymous request`(table: String) throws {
        #expect(state { try database.asUser(nil, role: "anon") { try $0.run("select * from \(table)") } } == "42501")
    }

    @Test(arguments: tables)
    func `gives a deactivated user nothing`(table: String) throws {
        try database.owner.run("update user_profiles set is_active = false")
        #expect(try count(table, as: hari) == "0")
        #expect(try count(table, as: admin) == "0")
    }

    @Test func `shows a ranger its own segment and profile`() throws {
        let seen = try ["vehicle_passages", "violations", "proactive_overstay_alerts", "user_profiles", "checkposts"]
            .map { try count($0, as: hari) }
        #expect(seen == ["3", "1", "1", "1", "4"])
        let others = try ["vehicle_passages", "violations", "proactive_overstay_alerts", "user_profiles"]
            .map { try count($0, as: other) }
        #expect(others == ["0", "0", "0", "1"])
    }

    @Test func `lets a ranger insert at its own post only, as itself only`() throws {
        #expect(
            state {
                try database.asUser(hari) { try $0.record("A9", at: TestDatabase.postB, "2026-11-21T10:00:00Z") }
            } == "42501")
        #expect(
            state {
                try database.asUser(hari) { connection in
                    try connection.run(
                        """
                        insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at,
                            ranger_id) values (gen_random_uuid(), 'A9', 'car', $1::uuid, now(), $2::uuid)
                        """, [TestDatabase.postA, other])
                }
            } == "42501")
        #expect(try database.owner.value("select ranger_id from vehicle_passages where id = $1", [passage]) == hari)
    }

    @Test func `lets a ranger change the photo of its own passage and nothing else`() throws {
        let changed = try database.asUser(hari) {
            try $0.run("update vehicle_passages set photo_path = id || '.jpg'").affected
        }
        #expect(changed == 1)
        for column in [
            "plate_number = 'Z1'", "recorded_at = now()", "acted_by = 'me'", "client_id = gen_random_uuid()",
        ] {
            #expect(
                state { try database.asUser(hari) { try $0.run("update vehicle_passages set \(column)") } } == "42501")
        }
    }

    @Test func `lets no client set a match or a sequence number`() throws {
        for user in [hari, admin] {
            for column in ["matched_passage_id = null", "is_entry = true", "server_seq = 1"] {
                #expect(
                    state { try database.asUser(user) { try $0.run("update vehicle_passages set \(column)") } }
                        == "42501")
            }
        }
        let row = try database.asUser(hari) { connection in
            try connection.run(
                """
                insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at,
                    matched_passage_id, is_entry, server_seq, created_at)
                values (gen_random_uuid(), 'A9', 'car', $1::uuid, now(), $2::uuid, true, -1, '2000-01-01')
                returning matched_passage_id, is_entry, server_seq > 0, created_at > now() - interval '1 day'
                """, [TestDatabase.postA, passage]
            ).rows
        }
        #expect(row == [[nil, nil, "t", "t"]])
    }

    @Test func `gives outcomes to their author for a day`() throws {
        _ = try database.asUser(hari) { connection in
            try connection.run(
                "insert into violation_outcomes (violation_id, outcome_type) select id, 'warned' from violations")
        }
        #expect(try database.owner.value("select recorded_by from violation_outcomes") == hari)
        let change = "update violation_outcomes set outcome_type = 'fined'"
        #expect(try database.asUser(hari) { try $0.run(change).affected } == 1)
        #expect(try database.asUser(other) { try $0.run(change).affected } == 0)
        for column in [
            "id = gen_random_uuid()", "recorded_at = now() + '1 day'", "created_at = now() + '1 day'",
            "recorded_by = null",
        ] {
            let pretence = "update violation_outcomes set \(column)"
            #expect(state { try database.asUser(hari) { try $0.run(pretence) } } == "42501", "\(column)")
        }
        try database.owner.run("update violation_outcomes set recorded_at = now() - interval '25 hours'")
        #expect(try database.asUser(hari) { try $0.run(change).affected } == 0)
        #expect(try database.asUser(admin) { try $0.run(change).affected } == 1)
    }

    @Test func `refuses an outcome in another's name and of another segment`() throws {
        let insert =
            "insert into violation_outcomes (violation_id, outcome_type, recorded_by) values ($1::uuid, 'warned', $2::uuid)"
        let violation = try database.owner.value("select id from violations")
        #expect(state { try database.asUser(hari) { try $0.run(insert, [violation, other]) } } == "42501")
        #expect(state { try database.asUser(other) { try $0.run(insert, [violation, other]) } } == "42501")
    }

    @Test func `keeps the telemetry of devices apart`() throws {
        let insert = "insert into sync_metadata (device_id, pending_count) values ('box', 3)"
        try database.asUser(hari) { _ = try $0.run(insert) }
        try database.asUser(other) { _ = try $0.run(insert) }
        #expect(try count("sync_metadata", as: hari) == "1")
        #expect(try count("sync_metadata", as: admin) == "2")
    }

    @Test(arguments: ["auditor", "warden"])
    func `shows in each table what an admin sees, and lets write in none, whoever is no admin`(role: String) throws {
        let reader = try database.addUser("reader", role: role)
        let readable = try database.owner.run(
            """
            select distinct tablename from pg_policies where schemaname = 'public' and cmd in ('SELECT', 'ALL')
                and 'authenticated' = any (roles) and qual like '%is_admin%' order by 1
            """
        ).rows.compactMap { $0[0] }
        #expect(readable.count > 20 && Set(Self.tables).subtracting(readable).isEmpty, "\(readable)")
        for table in readable {
            #expect(try count(table, as: reader) == count(table, as: admin), "\(table)")
            let column = try database.owner.value(
                """
                select attname from pg_attribute where attrelid = $1::regclass and attnum > 0
                    and concat(attidentity, attgenerated) = '' limit 1
                """, [table])
            for statement in ["update \(table) set \(column ?? "") = \(column ?? "")", "delete from \(table)"] {
                var changed = 0
                let refused = state { changed = try database.asUser(reader) { try $0.run(statement).affected } }
                #expect(refused == "42501" || (refused == nil && changed == 0), "\(statement)")
            }
        }
        #expect(
            state {
                try database.asUser(reader) { try $0.record("A9", at: TestDatabase.postA, "2026-11-21T10:00:00Z") }
            }
                == "42501")
    }

    @Test func `lets an admin manage everything and a ranger nothing`() throws {
        let change = "update highway_segments set max_speed_kmh = 50"
        #expect(try database.asUser(hari) { try $0.run(change).affected } == 0)
        #expect(try database.asUser(admin) { try $0.run(change).affected } == 2)
        #expect(
            try database.asUser(admin) {
                try $0.run("update vehicle_passages set plate_number = 'Z9' where id = $1", [passage]).affected
            } == 1)
        #expect(
            state { try database.asUser(hari) { try $0.run("insert into parks (name, code) values ('x', 'x')") } }
                == "42501")
        #expect(try database.asUser(hari) { try $0.run("delete from vehicle_passages").affected } == 0)
    }

    @Test func `keeps the rules' own functions from clients`() throws {
        for call in [
            "checkpost.check_overstay()", "checkpost.receive_sms('x', 'y', 'z')", "checkpost.admin_list_users(1, 10)",
            "checkpost.link_passages(null, null)", "checkpost.merge_upload(null)",
            "checkpost.record_sms(null, null, null)",
            "checkpost.sign_in('a', 'b', '1 day')", "checkpost.insert_user('a@b', '12345678', null, null, null)",
        ] {
            #expect(state { try database.asUser(admin) { try $0.run("select \(call)") } } == "42501", "\(call)")
        }
        #expect(
            state {
                try database.asUser(nil, role: "anon") { try $0.run("select checkpost.match_passage(null, null)") }
            } == "42501")
    }

    @Test func `keeps the gateway's login out of the tables`() throws {
        let gateway = try PostgresConnection(url: database.gatewayURL)
        #expect(state { try gateway.run("select * from vehicle_passages") } == "42501")
        #expect(state { try gateway.run("select * from auth.users") } == "42501")
        #expect(state { try gateway.run("select * from checkpost.refresh_tokens") } == "42501")
    }
}
