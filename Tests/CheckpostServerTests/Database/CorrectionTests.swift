import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

@Suite("What a warden or an upload corrects", .timeLimit(.minutes(10)))
struct CorrectionTests: WardensDesk {
    let database: TestDatabase
    let hari: String
    let warden: String

    /// An entry at A and an exit half an hour later at B: speeding.
    private func speeding(_ plate: String = "A1") throws -> (entry: String, exit: String) {
        (
            try database.owner.record(plate, at: TestDatabase.postA, "2026-11-21T10:00:00Z") ?? "",
            try database.owner.record(plate, at: TestDatabase.postB, "2026-11-21T10:30:00Z") ?? ""
        )
    }

    @Test(arguments: ["plate_number = 'A2'", "recorded_at = '2026-11-18T10:00:00Z'", "clock_state = 'untrusted'"])
    func `is judged anew, with who changed what from what to what`(change: String) throws {
        let pair = try speeding()
        try patch(change, pair.entry)
        #expect(try count("violations") == "0")
        let isLinked = change.contains("clock")
        #expect(try count("vehicle_passages", "matched_passage_id is not null") == (isLinked ? "2" : "0"))
        let column = change.prefix { $0 != " " }
        let audit = try database.owner.run(
            """
            select kind, changed_by, acted_by, reason, old_passage -> '\(column)' <> new_passage -> '\(column)' is not false,
                old_violation ->> 'violation_type' from passage_changes
            """
        ).rows
        #expect(audit == [["corrected", warden, "warden", "changed directly, no reason was given", "t", "speeding"]])
        #expect(try count("withdrawn_violations", "violation ->> 'violation_type' = 'speeding'") == "1")
        let asItWas = """
            entry_passage ->> 'plate_number' = 'A1' and entry_passage ->> 'clock_state' is null
                and (entry_passage ->> 'recorded_at')::timestamptz = '2026-11-21T10:00:00Z'
            """
        #expect(try count("withdrawn_violations", asItWas) == "1")
    }

    @Test func `makes the violation that is right, and matches what is free again`() throws {
        let pair = try speeding()
        try patch("recorded_at = '2026-11-21T08:30:00Z'", pair.entry)
        #expect(try count("violations") == "0")
        #expect(try count("vehicle_passages", "is_entry") == "1")
        try patch("recorded_at = '2026-11-21T04:30:00Z'", pair.entry)
        #expect(try database.owner.value("select violation_type from violations") == "overstay")
        try patch("clock_state = 'untrusted'", pair.exit)
        #expect(try count("violations") == "0")
        try patch("clock_state = 'synchronised'", pair.exit)
        #expect(try count("violations") == "1")
        #expect(try count("passage_changes") == "4")
        // Nothing changed, nothing to keep.
        try patch("clock_state = 'synchronised'", pair.exit)
        #expect(try count("passage_changes") == "4")
    }

    @Test func `leaves the outcome of a violation that falls away readable`() throws {
        let pair = try speeding()
        try database.asUser(hari) { connection in
            _ = try connection.run(
                "insert into violation_outcomes (violation_id, outcome_type, fine_amount) select id, 'fined', 500 from violations"
            )
        }
        try patch("plate_number = 'A2'", pair.exit)
        for user in [warden, hari] {
            let outcome = try database.asUser(user) {
                try $0.run("select outcome ->> 'outcome_type', outcome ->> 'fine_amount' from withdrawn_violations")
                    .rows
            }
            #expect(outcome == [["fined", "500.00"]])
        }
        #expect(
            state { try database.asUser(warden) { _ = try $0.run("delete from withdrawn_violations") } } == "42501")
    }

    @Test func `changes by the function with its reason, once for one id`() throws {
        let pair = try speeding()
        let client =
            try database.owner.value("select client_id from vehicle_passages where id = $1", [pair.entry]) ?? ""
        func change(as user: String) throws -> String? {
            let json = """
                {"id": "00000000-0000-4000-8000-0000000000aa", "client_id": "\(client)", "plate_number": "A1",
                "recorded_at": "2026-11-21T08:30:00Z", "reason": "the clock was slow", "changed_at": "2026-11-21T12:00:00Z"}
                """
            return try database.asUser(user) { try $0.value("select checkpost.change_passage($1::jsonb)", [json]) }
        }
        #expect(state { _ = try change(as: hari) } == "PT403")
        #expect(try change(as: warden) == #"{"changed": true}"#)
        #expect(try change(as: warden)?.contains("before") == true)
        #expect(try count("violations") == "0")
        #expect(
            try database.owner.run("select reason, new_passage ->> 'recorded_at' ~ '08:30' from passage_changes").rows
                == [["the clock was slow", "t"]])
        #expect(try database.owner.value("select reason from withdrawn_violations") == "the clock was slow")
    }

    @Test func `stands against what a post had said before, however late that comes`() throws {
        let pair = try speeding()
        let client =
            try database.owner.value("select client_id from vehicle_passages where id = $1", [pair.entry]) ?? ""
        func change(_ plate: String, at time: String, as user: String) throws -> String? {
            let json = """
                {"id": "\(UUID())", "client_id": "\(client)", "plate_number": "\(plate)", "reason": "misread",
                "changed_at": "\(time)"}
                """
            return try database.asUser(user) { try $0.value("select checkpost.change_passage($1::jsonb)", [json]) }
        }
        func stored() throws -> (plate: String?, number: Int) {
            let row = try database.owner.run(
                "select plate_number, server_seq from vehicle_passages where id = $1", [pair.entry]
            ).rows[0]
            return (row[0], Int(row[1] ?? "") ?? 0)
        }
        #expect(try change("W1", at: "2026-11-21T12:00:00Z", as: warden) == #"{"changed": true}"#)
        let before = try stored()
        #expect(try change("R1", at: "2026-11-21T11:00:00Z", as: hari)?.contains("a warden corrected it later") == true)
        #expect(try stored().plate == "W1" && count("passage_changes") == "1")
        // The post is told what holds.
        #expect(try stored().number > before.number)
        // A newer word counts, and one by a clock that says nothing.
        #expect(try change("R2", at: "2026-11-21T13:00:00Z", as: hari) == #"{"changed": true}"#)
        #expect(try stored().plate == "R2")
        #expect(try change("R3", at: "1970-01-01T00:10:00Z", as: hari) == #"{"changed": true}"#)
        #expect(try stored().plate == "R3")
    }

    @Test(arguments: [
        "violations set calculated_speed_kmh = 41", "violations set speed_limit_kmh = 80",
        "violations set exit_time = now()",
        "vehicle_passages set matched_passage_id = null", "vehicle_passages set id = gen_random_uuid()",
        "vehicle_passages set sms_client_id = gen_random_uuid()",
        "proactive_overstay_alerts set expected_exit_by = now()",
        "passage_changes set reason = 'x'",
    ])
    func `is no way to overwrite what the rules computed`(change: String) throws {
        _ = try speeding()
        #expect(state { try database.asUser(warden) { _ = try $0.run("update \(change)") } } == "42501")
        #expect(
            state { try database.asUser(nil, role: "service_role") { _ = try $0.run("update \(change)") } } == "42501")
        let insert = "insert into violations select * from violations"
        #expect(state { try database.asUser(warden) { _ = try $0.run(insert) } } == "42501")
    }

    @Test func `keeps photo and violation of a withdrawn passage for the warden, and from the post`() throws {
        let pair = try speeding()
        try database.owner.run("update vehicle_passages set ranger_id = $1 where id = $2", [hari, pair.entry])
        let name = "\(pair.entry).jpg"
        let insert = "insert into storage.objects (bucket_id, name) values ('passage-photos', $1)"
        try database.asUser(hari) { _ = try $0.run(insert, [name]) }
        try patch("photo_path = 'passage-photos/\(name)'", pair.entry, as: hari)
        #expect(state { try patch("photo_path = null", pair.entry, as: hari) } == "42501")
        let client =
            try database.owner.value("select client_id from vehicle_passages where id = $1", [pair.entry]) ?? ""
        let json = """
            {"id": "\(UUID())", "client_id": "\(client)", "plate_number": null, "reason": "a bicycle",
            "changed_at": "2026-11-21T12:00:00Z"}
            """
        _ = try database.asUser(hari) { try $0.value("select checkpost.change_passage($1::jsonb)", [json]) }
        let seen = "select count(*) from storage.objects where name = $1"
        #expect(try database.asUser(warden) { try $0.value(seen, [name]) } == "1")
        #expect(try database.asUser(hari) { try $0.value(seen, [name]) } == "0")
        #expect(try database.asUser(hari) { try $0.run("delete from storage.objects").affected } == 0)
        #expect(try database.asUser(hari) { try $0.run("update storage.objects set metadata = '{}'").affected } == 0)
        #expect(
            try database.asUser(warden) {
                try $0.value(
                    "select entry_passage ->> 'photo_path' from withdrawn_violations where reason = 'a bicycle'")
            } == "passage-photos/\(name)")
    }
}

@Suite("Whose a text is, and when it was written", .timeLimit(.minutes(10)))
struct TextOwnerTests {
    let database: TestDatabase

    init() throws {
        database = try TestDatabase()
    }

    private func text(_ plate: String, _ offset: String = "-1 hour", post: String = "BNP-A") throws -> (
        String, String, String
    ) {
        let row = try database.owner.run(
            """
            select m.e, to_timestamp(m.e)::text from (select floor(extract(epoch from now() + $1::interval))::bigint as e) m
            """, [offset]
        ).rows[0]
        let text = "V1|\(post)|\(plate)|CAR|\(row[0] ?? "")|4321"
        return (text, row[1] ?? "", SMSEncoder.clientID(of: text).uuidString.lowercased())
    }

    /// From the number of both posts.
    private func receive(_ text: String) throws -> String? {
        try database.owner.run(
            "insert into sms_senders (checkpost_id, number) select id, '9779800000000' from checkposts on conflict do nothing"
        )
        return try database.owner.value(
            "select checkpost.receive_sms($1, '+977 9800000000', null) ->> 'result'", [text])
    }

    private func count(_ condition: String) throws -> String? {
        try database.owner.value("select count(*) from vehicle_passages where \(condition)")
    }

    @Test func `no post silences another's text by claiming its id`() throws {
        let (text, time, id) = try text("A1", post: "BNP-B")
        // Post A claims the text of post B, at the same second and with the same plate.
        try database.owner.record("A1", at: TestDatabase.postA, time, smsClientID: id)
        #expect(try receive(text) == "inserted")
        // Its own upload is no conflict either, and completes it.
        try database.owner.record("A1", at: TestDatabase.postB, time, smsClientID: id)
        #expect(try count("checkpost_id = '\(TestDatabase.postB)'") == "1")
    }

    @Test func `no client takes the id of a text for its row`() throws {
        let sita = try database.addUser("sita", post: TestDatabase.postA)
        let (_, time, id) = try text("A1", post: "BNP-B")
        let error = #expect(throws: PostgresError.self) {
            _ = try database.asUser(sita) { try $0.record("A1", at: TestDatabase.postA, time, clientID: id) }
        }
        #expect(error?.sqlState == "23514")
    }

    @Test func `a claim on a text of another second of the same post counts for nothing`() throws {
        let (text, _, id) = try text("A1")
        let (_, later, _) = try self.text("A2", "-30 minutes")
        try database.owner.record("A2", at: TestDatabase.postA, later, smsClientID: id)
        #expect(try receive(text) == "inserted")
        #expect(try count("sms_client_id = '\(id)'") == "1")
        try database.owner.record("A3", at: TestDatabase.postA, later, smsClientID: id)
        #expect(try count("true") == "3")
    }

    @Test func `a plate that was corrected before its upload is one row with its text, whichever comes first`() throws {
        for (plate, isTextFirst) in [("A1", true), ("B1", false)] {
            let (text, time, id) = try text(plate)
            if isTextFirst { #expect(try receive(text) == "inserted") }
            try database.owner.record(plate + "7", at: TestDatabase.postA, time, smsClientID: id)
            #expect(try receive(text) == "repeated")
        }
        #expect(try count("true") == "2")
    }

    @Test(arguments: [("-1 hour", nil), ("-23 hours", nil), ("-25 hours", "untrusted"), ("10 minutes", "untrusted")])
    func `a time far from its arrival is untrusted`(offset: String, clock: String?) throws {
        #expect(try receive(try text("A1", offset).0) == "inserted")
        #expect(try database.owner.value("select clock_state from vehicle_passages") == clock)
    }

    @Test func `an untrusted upload withdraws the violation that its text made`() throws {
        let (text, time, id) = try text("A1")
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at, clock_state)
            values (gen_random_uuid(), 'A1', 'car', $1::uuid, now() - interval '40 minutes', 'synchronised')
            """, [TestDatabase.postB])
        #expect(try receive(text) == "inserted")
        #expect(try database.owner.value("select violation_type from violations") == "speeding")
        try database.owner.record("A1", at: TestDatabase.postA, time, smsClientID: id, clockState: "untrusted")
        #expect(try database.owner.value("select count(*) from violations") == "0")
        #expect(try count("matched_passage_id is not null") == "2")
        #expect(
            try database.owner.run("select kind, reason from passage_changes").rows
                == [["corrected", "the upload of the SMS says otherwise"]])
    }

    @Test func `a trusted upload makes the violation that a late text could not`() throws {
        let (text, time, id) = try text("A1", "-25 hours")
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at, clock_state)
            values (gen_random_uuid(), 'A1', 'car', $1::uuid, now() - interval '24 hours 40 minutes', 'synchronised')
            """, [TestDatabase.postB])
        #expect(try receive(text) == "inserted")
        #expect(try database.owner.value("select count(*) from violations") == "0")
        try database.owner.record("A1", at: TestDatabase.postA, time, smsClientID: id, clockState: "synchronised")
        #expect(try database.owner.value("select violation_type from violations") == "speeding")
    }

    @Test func `what the warden deleted is not made again by a text that is replayed`() throws {
        let (text, _, _) = try text("A1")
        #expect(try receive(text) == "inserted")
        let warden = try database.addUser("warden", role: "admin")
        #expect(try database.asUser(warden) { try $0.run("delete from vehicle_passages").affected } == 1)
        #expect(try receive(text) == "refused")
        #expect(try count("true") == "0")
    }
}
