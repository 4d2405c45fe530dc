import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

@Suite("What a post changes afterwards", .timeLimit(.minutes(10)))
struct ChangeTests {
    let database: TestDatabase
    let hari: String
    let sita: String

    init() throws {
        database = try TestDatabase()
        hari = try database.addUser("hari", post: TestDatabase.postA)
        sita = try database.addUser("sita", post: TestDatabase.postC)
    }

    private func change(
        _ clientID: String, plate: String?, id: String = UUID().uuidString, as user: String? = nil,
        _ others: [String: Any] = [:]
    ) throws -> String {
        let fields: [String: Any] = [
            "id": id, "client_id": clientID, "plate_number": plate ?? NSNull(), "reason": "misread",
            "acted_by": "Hari", "changed_at": "2026-11-21T12:00:00Z",
        ].merging(others) { $1 }
        return try call("change_passage", fields, as: user)
    }

    /// - Returns: the answer as JSON, or the SQLSTATE of the error.
    private func call(_ function: String, _ fields: [String: Any], as user: String?) throws -> String {
        let json = String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self)
        do {
            return try database.asUser(user ?? hari) { try $0.value("select checkpost.\(function)($1::jsonb)", [json]) }
                ?? "null"
        } catch let error as PostgresError {
            return error.sqlState ?? ""
        }
    }

    private func passage(_ plate: String, at post: String, _ time: String) throws -> (id: String, clientID: String) {
        let clientID = UUID().uuidString.lowercased()
        return (try database.owner.record(plate, at: post, time, clientID: clientID) ?? "", clientID)
    }

    private func count(_ table: String, _ condition: String = "true") throws -> String? {
        try database.owner.value("select count(*) from \(table) where \(condition)")
    }

    @Test func `gives a passage another plate, takes back its violation, and matches both anew`() throws {
        let wrong = try passage("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let exit = try passage("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
        let right = try passage("A1", at: TestDatabase.postA, "2026-11-21T08:00:00Z")
        let other = try passage("A7", at: TestDatabase.postB, "2026-11-21T12:00:00Z")
        #expect(try count("violations") == "1")
        let id = UUID().uuidString
        #expect(try change(wrong.clientID, plate: "A7", id: id) == #"{"changed": true}"#)
        #expect(try count("violations") == "0")
        let pairs = try database.owner.run(
            "select id, matched_passage_id from vehicle_passages where is_entry order by plate_number"
        ).rows
        #expect(pairs == [[right.id, exit.id], [wrong.id, other.id]])
        #expect(
            try database.owner.run(
                "select kind, old_plate_number, new_plate_number, acted_by, old_violation ->> 'violation_type' from passage_changes"
            ).rows == [["corrected", "A1", "A7", "Hari", "speeding"]])
        // Sent again, it is one change.
        #expect(try change(wrong.clientID, plate: "A7", id: id).contains("before"))
        #expect(try change(wrong.clientID, plate: "a 7").contains("already"))
        #expect(try count("passage_changes") == "1")
    }

    @Test func `takes a passage back, and keeps what it was`() throws {
        let entry = try passage("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let exit = try passage("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
        #expect(try change(entry.clientID, plate: nil) == #"{"changed": true}"#)
        #expect(try count("vehicle_passages", "id = '\(entry.id)'") == "0")
        #expect(
            try database.owner.run("select matched_passage_id, is_entry from vehicle_passages where id = $1", [exit.id])
                .rows == [[nil, nil]])
        #expect(
            try database.owner.value(
                "select old_passage ->> 'plate_number' from passage_changes where kind = 'withdrawn'")
                == "A1")
        #expect(try change(entry.clientID, plate: nil).contains("no such"))
        #expect(try change(UUID().uuidString, plate: "A1").contains("no such"))
    }

    @Test func `finds the passage of an SMS by the SMS's id`() throws {
        let text = "V1|BNP-A|A1|CAR|1795255200|0000"
        _ = try database.owner.value("select checkpost.record_sms($1, null, null)", [text])
        let sms = SMSEncoder.clientID(of: text).uuidString
        #expect(
            try change(UUID().uuidString, plate: nil, ["sms_client_id": sms]) == #"{"changed": true}"#)
        #expect(try count("vehicle_passages") == "0")
    }

    @Test func `makes no passage of a text that comes after its passage was withdrawn`() throws {
        func receive(_ text: String) throws -> String? {
            try database.owner.value("select checkpost.record_sms($1, null, null) ->> 'reason'", [text])
        }
        // The server had the upload, with the id of its text or without.
        let known = "V1|BNP-A|A1|CAR|1795255200|0000"
        let sms = SMSEncoder.clientID(of: known).uuidString
        _ = try database.owner.value("select checkpost.record_sms($1, null, null)", [known])
        _ = try change(UUID().uuidString, plate: nil, ["sms_client_id": sms])
        #expect(try receive(known) == "the passage was withdrawn")
        let upload = try passage("A2", at: TestDatabase.postA, "2026-11-21T10:00:00.400Z")
        _ = try change(upload.clientID, plate: nil)
        let seconds = try #require(
            try database.owner.value(
                "select floor(extract(epoch from timestamptz '2026-11-21T10:00:00Z'))::bigint::text"))
        let second = "V1|BNP-A|A2|CAR|\(seconds)|0000"
        #expect(try receive(second) == "the passage was withdrawn")
        // It had nothing.
        let late = "V1|BNP-A|A3|CAR|1795255300|0000"
        let lateID = SMSEncoder.clientID(of: late).uuidString
        #expect(try change(UUID().uuidString, plate: nil, as: sita, ["sms_client_id": lateID]).contains("no such"))
        #expect(try receive("V1|BNP-A|A4|CAR|1795255300|0000") == nil)
        #expect(try change(UUID().uuidString, plate: nil, ["sms_client_id": lateID]).contains("no such"))
        #expect(try receive(late) == "the passage was withdrawn")
        #expect(try database.owner.value("select string_agg(plate_number, ' ') from vehicle_passages") == "A4")
        // Another post's word silences nobody.
        let others = "V1|BNP-A|A5|CAR|1795255400|0000"
        _ = try change(
            UUID().uuidString, plate: nil, as: sita, ["sms_client_id": SMSEncoder.clientID(of: others).uuidString])
        #expect(try receive(others) == nil)
    }

    @Test func `is no overstay of the partner when it is the warden who withdraws, by whichever of its ids`() throws {
        let warden = try database.addUser("warden", role: "admin")
        for (plate, isNamedByText) in [("A1", false), ("A2", true)] {
            let (clientID, text) = (UUID().uuidString, UUID().uuidString)
            try database.owner.record(
                plate, at: TestDatabase.postA, "2026-11-20T10:00:00Z", clientID: clientID, smsClientID: text)
            try database.owner.record(plate, at: TestDatabase.postB, "2026-11-20T12:00:00Z")
            let named = isNamedByText ? UUID().uuidString : clientID
            #expect(try change(named, plate: nil, as: warden, ["sms_client_id": text]) == #"{"changed": true}"#)
            #expect(
                try count(
                    "proactive_overstay_alerts",
                    "plate_number = '\(plate)' and resolved_reason = 'the passage that it was matched with was withdrawn'"
                )
                    == "1", "\(plate)")
        }
        #expect(try database.owner.overstayRound() == "0")
    }

    @Test func `leaves alone what has an outcome, what is of another post, and what makes no sense`() throws {
        let entry = try passage("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let exit = try passage("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
        #expect(try change(exit.clientID, plate: "A2") == "PT403")
        #expect(try change(entry.clientID, plate: "A2", as: sita) == "PT403")
        try database.owner.run(
            "insert into violation_outcomes (violation_id, outcome_type) select id, 'fined' from violations")
        #expect(try change(entry.clientID, plate: "A2") == "PT409")
        #expect(try change(entry.clientID, plate: nil) == "PT409")
        for bad: [String: Any] in [
            ["id": NSNull()], ["id": "x"], ["reason": "  "], ["changed_at": "soon"], ["changed_at": NSNull()],
            ["client_id": 7],
        ] {
            #expect(["PT400", "22P02", "22007"].contains(try change(entry.clientID, plate: "A2", bad)), "\(bad)")
        }
        let lonely = try passage("A9", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        for plate in ["", "A|B", String(repeating: "A", count: 33)] {
            #expect(try change(lonely.clientID, plate: plate) == "23514")
        }
        #expect(try count("passage_changes") == "0")
        try database.owner.run("update user_profiles set is_active = false where id = $1", [hari])
        #expect(try change(lonely.clientID, plate: "A2") == "PT403")
    }

    @Test func `closes an overstay alert on a ranger's word, before it is raised or after`() throws {
        let first = try passage("A1", at: TestDatabase.postA, "2026-11-20T10:00:00Z")
        let second = try passage("A2", at: TestDatabase.postA, "2026-11-20T10:00:00Z")
        func resolve(_ clientID: String, as user: String? = nil) throws -> String {
            try call(
                "resolve_alert",
                [
                    "client_id": clientID, "resolved_at": "2026-11-21T10:00:00Z", "reason": "left by the same post",
                    "acted_by": "Hari",
                ], as: user)
        }
        #expect(try resolve(first.clientID) == #"{"resolved": true}"#)
        #expect(try database.owner.overstayRound() == "1")
        #expect(try resolve(second.clientID, as: sita) == "PT403")
        #expect(try resolve(second.clientID) == #"{"resolved": true}"#)
        #expect(try count("proactive_overstay_alerts", "resolved and resolved_reason ~ 'same post'") == "2")
        #expect(try resolve(UUID().uuidString).contains("no such"))
        #expect(try call("resolve_alert", [:], as: nil) == "PT400")
    }

    @Test func `is seen by its segment and written by nobody`() throws {
        let entry = try passage("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        _ = try change(entry.clientID, plate: "A2")
        func seen(_ user: String) throws -> String? {
            try database.asUser(user) { try $0.value("select count(*) from passage_changes") }
        }
        #expect(try seen(hari) == "1")
        #expect(try seen(sita) == "0")
        #expect(throws: PostgresError.self) {
            try database.asUser(hari) { try $0.run("delete from passage_changes") }
        }
        #expect(throws: PostgresError.self) {
            try database.asUser(nil, role: "anon") { try $0.run("select from passage_changes") }
        }
    }
}
