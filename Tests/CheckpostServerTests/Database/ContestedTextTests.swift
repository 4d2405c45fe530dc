import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

@Suite("Whose a text is, when two numbers send it", .timeLimit(.minutes(10)))
struct ContestedTextTests {
    let database: TestDatabase
    let text = "V1|BNP-A|BA1PA1234|JEP|1795255200|4567"
    var identity: String { SMSEncoder.clientID(of: text).uuidString.lowercased() }

    init() throws {
        database = try TestDatabase()
    }

    private func upload() throws {
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, sms_client_id, plate_number, vehicle_type, checkpost_id, recorded_at, clock_state)
            values (gen_random_uuid(), $1::uuid, 'BA 1 PA 1234', 'jeep_suv', $2::uuid, '2026-11-21T10:00:00.640Z', 'synchronised')
            """, [identity, TestDatabase.postA])
    }

    private func violations() throws -> String? { try database.owner.value("select count(*) from violations") }

    private func receive(_ text: String, from number: String) throws -> String? {
        try database.owner.value(
            "select checkpost.receive_sms($1, $2, gen_random_uuid()::text) ->> 'result'", [text, number])
    }

    private func senders() throws -> [String?] {
        try database.owner.run("select number from sms_senders order by number").rows.map(\.[0])
    }

    @Test func `confirm no number where a stranger sent the very same text before the post did`() throws {
        let (stranger, post) = ("+9779800000666", "+9779811111111")
        #expect(try receive(text, from: stranger) == "inserted")
        #expect(try receive(text, from: post) == "repeated")
        try upload()
        #expect(try senders() == [])
        #expect(
            try database.owner.value("select reason from sms_messages where sender = $1", [post])
                == "another number has sent this text")
        // A guess more or less is no other number's text.
        let own = "V1|BNP-A|BA1PA77|CAR|1795258800|4567"
        #expect(try receive("V1|BNP-A|BA1PA77|CAR|1795258800|0000", from: stranger) == "inserted")
        #expect(try receive(own, from: post) == "repeated")
    }

    @Test func `take a number's confirmation back when another one sends the text that confirmed it`() throws {
        let (stranger, post) = ("+9779800000666", "+9779811111111")
        try upload()
        #expect(try receive(text, from: stranger) == "repeated")
        #expect(try senders() == ["9779800000666"])
        #expect(try receive(text, from: post) == "repeated")
        #expect(try senders() == [])
        #expect(try receive("V1|BNP-B|BA1PA1234|JEP|1795257000|4567", from: stranger) == "inserted")
        #expect(try violations() == "0")
    }

    @Test func `from the post's own number vouch for the row that a stranger's text made`() throws {
        let own = "+9779811111111"
        try database.owner.run(
            "insert into sms_senders (checkpost_id, number) values ($1, checkpost.plain_number($2))",
            [TestDatabase.postA, own])
        let now = "V1|BNP-A|BA1PA88|CAR|\(Int(Date().timeIntervalSince1970))|4567"
        let state = "select coalesce(clock_state, 'trusted') from vehicle_passages where plate_number = 'BA1PA88'"
        #expect(try receive(now, from: "+9779800000666") == "inserted")
        #expect(try database.owner.value(state) == "untrusted")
        #expect(try receive(now, from: own) == "repeated")
        #expect(try database.owner.value(state) == "trusted")
    }
}
