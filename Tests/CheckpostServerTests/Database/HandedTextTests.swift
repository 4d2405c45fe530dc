import Enforcement
import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

@Suite("Texts that another post hands in", .timeLimit(.minutes(10)))
struct HandedTextTests {
    let database: TestDatabase
    let hub: String
    let admin: String
    private let key: TextKey
    /// Half an hour ago, to the second.
    private let entry = Instant(milliseconds: Int64(Date().timeIntervalSince1970) * 1000) - .minutes(30)

    init() throws {
        database = try TestDatabase()
        // Of another road.
        hub = try database.addUser("hub", post: TestDatabase.postC)
        admin = try database.addUser("admin", role: "admin")
        try database.owner.run(
            """
            select checkpost.put_text_key(jsonb_build_object('checkpost', $1::text, 'action', 'make', 'reason', 'r', 'was', '0'))
            """, [TestDatabase.postA])
        let secret = try database.owner.value("select encode(secret, 'hex') from checkpost.text_keys") ?? ""
        key = try #require(TextKey(number: 1, secret: Secret(secret), lastTextNumber: 0))
    }

    private func text(_ plate: String, number: Int64 = 1) throws -> String {
        try SignedSMSEncoder.encode(
            SignedSMS(
                checkpostCode: "BNP-A", number: number, rangerPhoneSuffix: "4567",
                entries: [.init(compactPlate: plate, vehicleType: .car, recordedAt: entry, clock: .synchronised)]),
            key: key)
    }

    private func hand(in body: Any, as user: String? = nil) throws -> String {
        let sent = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        let said = try database.asUser(user ?? hub) { try $0.run("select hand_in_text($1::jsonb)", [sent]).scalar }
        return try JSONDecoder().decode(HandedTextAnswer.self, from: Data((said ?? "").utf8)).result
    }

    private func hand(in texts: [String]) throws -> [String] { try texts.map { try hand(in: ["text": $0] as Any) } }

    /// The SQLSTATE that it fails with; nil when it doesn't.
    private func state(_ body: Any, as user: String? = nil) -> String? {
        do {
            _ = try hand(in: body, as: user)
            return nil
        } catch {
            return (error as? PostgresError)?.sqlState
        }
    }

    private func rows() throws -> String? {
        try database.owner.value(
            "select string_agg(plate_number || ' ' || coalesce(clock_state, 'trusted'), ', ' order by plate_number) from vehicle_passages"
        )
    }

    @Test func `count as if they had come by SMS, once, in any order and beside their upload`() throws {
        let texts = try (1...3).map { try text("BA1PA\($0)", number: Int64($0)) }
        #expect(try hand(in: [texts[2], texts[0]]) == ["inserted", "inserted"])
        #expect(try hand(in: [texts[0], texts[1]]) == ["repeated", "inserted"])
        #expect(try rows() == "BA1PA1 synchronised, BA1PA2 synchronised, BA1PA3 synchronised")
        // By SMS, too, as a modem would have sent it.
        #expect(
            try database.owner.value("select checkpost.receive_sms($1, '+9779811111111', 's') ->> 'result'", [texts[0]])
                == "repeated")
        let ids = SMSEncoder.clientID(
            of: try SMSEncoder.encode(
                SMSPassage(
                    checkpostCode: "BNP-A", compactPlate: "BA1PA1", vehicleType: .car, recordedAt: entry,
                    rangerPhoneSuffix: "4567")))
        try database.owner.record(
            "BA 1 PA 1", at: TestDatabase.postA, entry.iso8601, smsClientID: ids.uuidString.lowercased())
        #expect(try database.owner.value("select count(*) from vehicle_passages") == "3")
        #expect(try database.owner.value("select count(*) from sms_messages where reason is not null") == "0")
        // Each is kept with what it made; one that is handed in once more makes no second note.
        #expect(try database.owner.value("select count(*) from sms_messages where sender is null") == "3")
        #expect(
            try database.owner.value("select count(*) from checkpost.missing_texts('\(TestDatabase.postA)')") == "0")
    }

    @Test func `say nothing in another's name`() throws {
        let right = try text("BA1PA1")
        let forged = right.dropLast() + (right.hasSuffix("A") ? "B" : "A")
        let unsigned = "V1|BNP-A|BA1PA9|CAR|\(entry.epochSeconds)|4567"
        #expect(
            try hand(in: [String(forged), unsigned, "A2.BNP-A.1", "", right])
                == ["refused", "refused", "refused", "refused", "inserted"])
        #expect(try rows() == "BA1PA1 synchronised")
        // A post that signs nothing yet.
        #expect(try hand(in: [right.replacing("BNP-A", with: "BNP-B")]) == ["refused"])
    }

    @Test func `are taken of a post alone, and no more than are said`() throws {
        #expect(state(["text": try text("BA1PA1")], as: admin) == "PT403")
        #expect(state(["text": String(repeating: "V", count: 401)]) == "PT400")
        #expect(state([String: String]()) == "PT400")
        #expect(try hand(in: ["text": 7] as Any) == "refused")
        #expect(try rows() == nil)
    }

    @Test func `make no second vehicle where the warden put its time right, or deleted it`() throws {
        let texts = try [text("BA1PA1"), text("BA1PA2", number: 2)]
        for (plate, client) in [("BA1PA1", UUID()), ("BA1PA2", UUID())] {
            let told = SMSPassage(
                checkpostCode: "BNP-A", compactPlate: plate, vehicleType: .car, recordedAt: entry,
                rangerPhoneSuffix: "4567")
            try database.owner.record(
                plate, at: TestDatabase.postA, entry.iso8601, clientID: client.uuidString.lowercased(),
                smsClientID: SMSEncoder.clientID(of: try SMSEncoder.encode(told)).uuidString.lowercased())
        }
        try database.owner.run(
            "update vehicle_passages set recorded_at = recorded_at - interval '7 minutes'")
        try database.owner.run("delete from vehicle_passages where plate_number = 'BA1PA2'")
        #expect(try hand(in: texts) == ["repeated", "refused"])
        #expect(try rows() == "BA1PA1 trusted")
    }
}
