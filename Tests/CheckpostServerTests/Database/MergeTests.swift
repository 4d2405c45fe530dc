import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

@Suite("An SMS and its upload", .timeLimit(.minutes(10)))
struct MergeTests {
    let database: TestDatabase
    let text = "V1|BNP-A|BA1PA1234|JEP|1795255200|4567"
    let client = UUID().uuidString.lowercased()
    var identity: String { SMSEncoder.clientID(of: text).uuidString.lowercased() }

    init() throws {
        database = try TestDatabase()
    }

    private func receive(_ text: String, sid: String? = UUID().uuidString) throws -> String? {
        try database.owner.value("select checkpost.receive_sms($1, '+9779800000000', $2) ->> 'result'", [text, sid])
    }

    @discardableResult
    private func upload(client: String? = nil, sms: String?) throws -> String? {
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, sms_client_id, plate_number, plate_number_raw, vehicle_type,
                checkpost_id, recorded_at, confidence, clock_state, acted_by, photo_path)
            values ($1::uuid, $2::uuid, 'BA 1 PA 1234', 'बा १ प १२३४', 'jeep_suv', $3::uuid, '2026-11-21T10:00:00.640Z',
                0.93, 'synchronised', 'ram', 'a.jpg')
            returning id
            """, [client ?? self.client, sms, TestDatabase.postA]
        ).scalar
    }

    private func rows() throws -> [[String?]] {
        try database.owner.run(
            """
            select id, client_id, sms_client_id, source, plate_number, extract(epoch from recorded_at)::numeric(14,2),
                confidence, acted_by from vehicle_passages
            """
        ).rows
    }

    @Test func `agree on the identity of a text in SQL and in Swift`() throws {
        #expect(
            try database.owner.value("select checkpost.uuid_v5(checkpost.sms_namespace(), $1)", [text]) == identity)
        let dns = try #require(UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
        #expect(
            UUIDv5.make(namespace: dns, name: "www.example.com").uuidString.lowercased()
                == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
    }

    private func violations() throws -> String? {
        try database.owner.value("select count(*) from violations")
    }

    @Test func `accuse nobody while the number is a stranger's, and do once an upload has named a text of it`() throws {
        // Two texts of anybody who knows how they are written: 30 minutes for 45 km.
        #expect(try receive(text) == "inserted")
        #expect(try receive("V1|BNP-B|BA1PA1234|JEP|1795257000|4567") == "inserted")
        #expect(try violations() == "0")
        // An upload that only has the plate and the second says nothing of the number: whoever drove past knows as much.
        try upload(sms: nil)
        #expect(try database.owner.value("select count(*) from sms_senders") == "0")
        #expect(try violations() == "0")
        let named = "V1|BNP-A|BA1PA77|CAR|1795258800|4567"
        #expect(try receive(named) == "inserted")
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, sms_client_id, plate_number, vehicle_type, checkpost_id, recorded_at, clock_state)
            values (gen_random_uuid(), $1, 'BA 1 PA 77', 'car', $2, '2026-11-21T11:00:00.1Z', 'synchronised')
            """, [SMSEncoder.clientID(of: named).uuidString, TestDatabase.postA])
        #expect(
            try database.owner.run(
                "select c.code, s.number from sms_senders s join checkposts c on c.id = s.checkpost_id"
            ).rows
                == [["BNP-A", "9779800000000"]])
        let state = "select coalesce(clock_state, 'trusted') from vehicle_passages where plate_number = $1"
        #expect(try receive("V1|BNP-A|BA1PA88|CAR|\(Int(Date().timeIntervalSince1970))|4567") == "inserted")
        #expect(try database.owner.value(state, ["BA1PA88"]) == "trusted")
        #expect(try receive("V1|BNP-B|BA1PA99|CAR|\(Int(Date().timeIntervalSince1970))|4567") == "inserted")
        #expect(try database.owner.value(state, ["BA1PA99"]) == "untrusted", "it is the number of the other post")
    }

    @Test func `hide no vehicle by a stranger's text, and are matched once it is uploaded, whatever its clock`() throws
    {
        try database.owner.record("BA1PA1234", at: TestDatabase.postA, "2026-11-21T09:50:00Z")
        // Nearer to the exit than the entry is.
        #expect(try receive(text) == "inserted")
        try database.owner.record("BA1PA1234", at: TestDatabase.postB, "2026-11-21T10:20:00Z")
        #expect(try violations() == "1")
        let matched =
            "select string_agg(source, ' ' order by recorded_at) from vehicle_passages where matched_passage_id is not null"
        #expect(try database.owner.value(matched) == "app app")

        try database.owner.record("BA1PA1234", at: TestDatabase.postB, "2026-11-21T11:20:00Z")
        #expect(try database.owner.value(matched) == "app app")
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, sms_client_id, plate_number, vehicle_type, checkpost_id, recorded_at, clock_state)
            values (gen_random_uuid(), $1, 'BA1PA1234', 'car', $2, '2026-11-21T10:00:00.640Z', 'untrusted')
            """, [identity, TestDatabase.postA])
        // Seen once more before it left: that one and the exit are one trip, and its clock is not believed.
        #expect(try database.owner.value(matched) == "sms app")
        #expect(try violations() == "0")
    }

    @Test(arguments: [true, false])
    func `teach the number when the upload came before and names the text, and not when the plate alone fits`(
        isNamed: Bool
    ) throws {
        try upload(sms: isNamed ? identity : nil)
        #expect(try receive(text) == "repeated")
        #expect(try receive(text) == "repeated")
        #expect(try database.owner.value("select max(number) from sms_senders") == (isNamed ? "9779800000000" : nil))
    }

    @Test func `become one row though the plate was corrected before the text and after the upload`() throws {
        // The upload's answer was lost, so that the box sent a text as well, with the plate that a ranger had corrected meanwhile.
        try upload(sms: nil)
        let known = try database.owner.value("select id from vehicle_passages")
        let corrected = text.replacing("1234", with: "1284")
        let identity = SMSEncoder.clientID(of: corrected).uuidString.lowercased()
        #expect(try receive(corrected) == "inserted")
        #expect(try rows().count == 2)
        try database.owner.record("BA1PA1284", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
        let matched = "select count(*) from vehicle_passages where matched_passage_id is not null"
        #expect(try database.owner.value(matched) == "0", "nobody has proven the text")
        // The warden believes it.
        try database.owner.run("update vehicle_passages set clock_state = null where source = 'sms'")
        #expect(try database.owner.value(matched) == "2")
        // Sent again it says which text was its own.
        #expect(try upload(sms: identity) == nil)
        #expect(
            try database.owner.run(
                "select id, client_id, sms_client_id, plate_number from vehicle_passages where checkpost_id = $1",
                [TestDatabase.postA]
            ).rows == [[known, client, identity, "BA 1 PA 1234"]])
        #expect(try database.owner.value("select count(*) from deleted_passages") == "0")
        #expect(try database.owner.value("select client_id from passage_changes where kind = 'withdrawn'") == identity)
        #expect(try database.owner.value(matched) == "0")
        // The correction follows, and what was matched with the text is matched with the passage.
        try database.owner.run(
            """
            select checkpost.change_passage(jsonb_build_object('id', gen_random_uuid(), 'client_id', $1::text, 'plate_number',
                'BA1PA1284', 'reason', 'misread', 'acted_by', 'ram', 'changed_at', '2026-11-21T10:05:00Z'))
            """, [client])
        #expect(try database.owner.value(matched) == "2")
        #expect(try database.owner.value("select count(*) from violations") == "1")
    }

    @Test func `become one row though the text comes last, named by a repeated upload, after a correction`() throws {
        // The upload's answer was lost, and a text was handed to a network that keeps it for hours.
        try upload(sms: nil)
        let known = try database.owner.value("select id from vehicle_passages")
        #expect(try upload(sms: identity) == nil)
        let named = try rows().map { [$0[0], $0[1], $0[2]] }
        #expect(named == [[known, client, identity]])
        try database.owner.run("update vehicle_passages set plate_number = 'BA 1 PA 1284'")
        #expect(try receive(text) == "repeated")
        #expect(try rows().count == 1)
        #expect(try database.owner.value("select max(number) from sms_senders") == "9779800000000")
        // Another upload of it can't give the passage another text.
        #expect(throws: PostgresError.self) { try upload(sms: UUID().uuidString) }
        #expect(try database.owner.value("select sms_client_id from vehicle_passages") == identity)
    }

    @Test func `become one row when the SMS comes first`() throws {
        #expect(try receive(text) == "inserted")
        #expect(try rows() == [[identity, identity, identity, "sms", "BA1PA1234", "1795255200.00", nil, nil]])
        #expect(try upload(sms: identity) == nil)
        let merged = [[identity, client, identity, "sms", "BA1PA1234", "1795255200.00", "0.93", "ram"]]
        #expect(try rows() == merged)

        let sequence = try database.owner.value("select server_seq from vehicle_passages")
        #expect(try receive(text) == "repeated")
        #expect(throws: PostgresError.self) { try upload(sms: identity) }
        #expect(try rows() == merged)
        #expect(try database.owner.value("select server_seq from vehicle_passages") == sequence)
    }

    @Test func `become one row when the upload comes first`() throws {
        let id = try upload(sms: identity)
        let stored = [[id, client, identity, "app", "BA 1 PA 1234", "1795255200.64", "0.93", "ram"]]
        #expect(try receive(text) == "repeated")
        #expect(try receive(text) == "repeated")
        #expect(try rows() == stored)
        #expect(throws: PostgresError.self) { try upload(sms: identity) }
        #expect(try rows() == stored)
    }

    @Test func `become one row for a client that knows only the published columns`() throws {
        #expect(try receive(text) == "inserted")
        #expect(try upload(sms: nil) == nil)
        #expect(try rows() == [[identity, client, identity, "sms", "BA1PA1234", "1795255200.00", "0.93", "ram"]])
    }

    @Test func `become one row when the upload did not know of the SMS`() throws {
        let id = try upload(sms: nil)
        #expect(try receive(text) == "repeated")
        #expect(try rows().map { [$0[0], $0[2]] } == [[id, identity]])
    }

    @Test func `stay two when another client claims the SMS`() throws {
        #expect(try receive(text) == "inserted")
        try upload(sms: identity)
        let error = #expect(throws: PostgresError.self) { try upload(client: UUID().uuidString, sms: identity) }
        #expect(error?.sqlState == "23505")
    }

    @Test func `are matched by the SMS and not again by the upload`() throws {
        try database.owner.record("BA1PA1234", at: TestDatabase.postB, "2026-11-21T10:40:00Z")
        #expect(try receive(text) == "inserted")
        try upload(sms: identity)
        #expect(try database.owner.value("select count(*) from violations where violation_type = 'speeding'") == "1")
        #expect(try database.owner.value("select count(matched_passage_id) from vehicle_passages") == "2")
    }

    @Test func `name the merged row for the gateway`() throws {
        #expect(try receive(text) == "inserted")
        try database.owner.transaction { connection in
            try upload(sms: identity)
            #expect(try connection.value("select current_setting('checkpost.merged', true)") == identity)
        }
    }

    @Test func `are not merged over a post that is not the ranger's`() throws {
        #expect(try receive(text) == "inserted")
        let ranger = try database.addUser("hari", post: TestDatabase.postB)
        #expect(throws: PostgresError.self) {
            try database.asUser(ranger) { connection in
                try connection.record(
                    "X1", at: TestDatabase.postA, "2026-11-21T10:00:00Z", smsClientID: identity)
            }
        }
        #expect(try rows().first?[1] == identity)
    }

    @Test func `name the ranger by the last digits of one telephone only`() throws {
        let ranger = try database.addUser("hari", post: TestDatabase.postA, phone: "+977 98-0123 4567")
        _ = try receive(text)
        #expect(try database.owner.value("select ranger_id from vehicle_passages") == ranger)
        try database.addUser("sita", post: TestDatabase.postA, phone: "4567")
        _ = try receive(text.replacing("1234", with: "9999"))
        #expect(
            try database.owner.value("select ranger_id from vehicle_passages where plate_number ~ '9999'") == nil)
    }

    @Test(arguments: [
        "", "hello", "V1", "V2|BNP-A|BA1PA1234|CAR|1795255200|4567", "V1|BNP-X|BA1PA1234|CAR|1795255200|4567",
        "V1|BNP-A|BA1PA1234|XYZ|1795255200|4567", "V1|BNP-A||CAR|1795255200|4567",
        "V1|BNP-A|ba 1|CAR|1795255200|4567", "V1|BNP-A|BA1PA1234|CAR|2026-11-21|4567",
        "V1|BNP-A|BA1PA1234|CAR|1795255200|", "V1|BNP-A|BA1PA1234|CAR|1795255200|12345",
        "V1|BNP-A|BA1PA1234|CAR|1795255200|4567|", "V1|BNP-A|BA1PA1234|CAR|99999999999999999999|4567",
        "V1|" + String(repeating: "X", count: 5000) + "|BA1PA1234|CAR|1795255200|4567",
    ])
    func `are kept with the reason when the text is wrong`(text: String) throws {
        #expect(try receive(text) == "refused")
        #expect(try database.owner.value("select count(*) from vehicle_passages") == "0")
        #expect(try database.owner.value("select reason from sms_messages where result = 'refused'") != nil)
    }

    @Test(arguments: [
        ("CAR", "car"), ("JSV", "jeep_suv"), ("MNB", "minibus"), ("BUS", "bus"), ("TRK", "truck"), ("TNK", "tanker"),
        ("MCY", "motorcycle"), ("ARK", "auto_rickshaw"), ("TRC", "tractor"), ("OTH", "other"), ("JEP", "jeep_suv"),
        ("MOT", "motorcycle"), ("MTK", "truck"), ("AUT", "auto_rickshaw"),
    ])
    func `know every code of a vehicle`(code: String, type: String) throws {
        #expect(try receive(text.replacing("JEP", with: code)) == "inserted")
        #expect(try database.owner.value("select vehicle_type from vehicle_passages") == type)
    }

    @Test func `ignore white space that a network added at the ends`() throws {
        #expect(try receive(" \(text)\r\n") == "inserted")
        #expect(try rows().first?[0] == identity)
    }

    @Test func `are logged once for each message of the provider`() throws {
        _ = try receive(text, sid: "SM1")
        _ = try receive(text, sid: "SM1")
        _ = try receive(text, sid: "SM2")
        #expect(
            try database.owner.run("select message_sid, result from sms_messages order by 1").rows
                == [["SM1", "inserted"], ["SM2", "repeated"]])
    }
}
