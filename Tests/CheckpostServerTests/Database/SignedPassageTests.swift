import Enforcement
import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

@Suite("Texts that a post signs", .timeLimit(.minutes(10)))
struct SignedPassageTests {
    let database: TestDatabase
    /// Half an hour ago, to the second.
    let entry = Instant(milliseconds: Int64(Date().timeIntervalSince1970) * 1000) - .minutes(40)

    init() throws { database = try TestDatabase() }

    private func makeKey(_ post: String = TestDatabase.postA, action: String = "make") throws {
        try database.owner.run(
            """
            select checkpost.put_text_key(jsonb_build_object('checkpost', $1::text, 'action', $2::text, 'reason', 'two forged texts', 'was',
                checkpost.text_key_state($1::uuid) ->> 'newest'))
            """, [post, action])
    }

    private func key(_ post: String = TestDatabase.postA, number: Int = 1) throws -> TextKey {
        let secret = try database.owner.value(
            "select encode(secret, 'hex') from checkpost.text_keys where checkpost_id = $1 and number = $2",
            [post, String(number)])
        return try #require(TextKey(number: number, secret: Secret(secret ?? ""), lastTextNumber: 0))
    }

    private func text(
        _ code: String, _ plates: [String], at minutes: Double, number: Int64 = 1, clock: ClockState = .synchronised,
        key: TextKey
    ) throws -> String {
        try SignedSMSEncoder.encode(
            SignedSMS(
                checkpostCode: code, number: number, rangerPhoneSuffix: "4567",
                entries: plates.enumerated().map {
                    .init(
                        compactPlate: $1, vehicleType: .car,
                        recordedAt: entry + .minutes(minutes) + .seconds(Double($0)), clock: clock)
                }), key: key)
    }

    @discardableResult
    private func receive(_ text: String, from number: String = "+9779800000666") throws -> String? {
        try database.owner.value(
            "select checkpost.receive_sms($1, $2, gen_random_uuid()::text) ->> 'result'", [text, number])
    }

    private func reason() throws -> String? {
        try database.owner.value("select reason from sms_messages order by received_at desc, id limit 1")
    }

    private func count(_ table: String) throws -> String? { try database.owner.value("select count(*) from \(table)") }

    private func unsigned(_ code: String, _ plate: String, at minutes: Double) -> String {
        "V1|\(code)|\(plate)|CAR|\((entry + .minutes(minutes)).epochSeconds)|4567"
    }

    @Test func `make a violation from any number, and two unsigned ones in their name make none`() throws {
        let own = "+9779811111111"
        for post in [TestDatabase.postA, TestDatabase.postB] {
            try database.owner.run(
                "insert into sms_senders (checkpost_id, number) values ($1, checkpost.plain_number($2))", [post, own])
            try makeKey(post)
        }
        // From the posts' own number, which a stranger's provider can write as well: 30 minutes for 45 km.
        #expect(try receive(unsigned("BNP-A", "BA1PA1", at: 0), from: own) == "inserted")
        #expect(try reason()?.contains("this one is not signed") == true)
        #expect(try receive(unsigned("BNP-B", "BA1PA1", at: 30), from: own) == "inserted")
        #expect(try count("violations") == "0")
        let (a, b) = (try key(TestDatabase.postA), try key(TestDatabase.postB))
        #expect(try receive(text("BNP-A", ["BA1PA7", "BA1PA8"], at: 0, key: a)) == "inserted")
        #expect(try receive(text("BNP-B", ["BA1PA8", "BA1PA7"], at: 30, key: b)) == "inserted")
        #expect(try count("violations") == "2")
        #expect(
            try database.owner.value(
                "select string_agg(distinct clock_state, ' ') from vehicle_passages where plate_number in ('BA1PA7', 'BA1PA8')"
            ) == "synchronised")
    }

    @Test func `accuse nobody where their clock isn't trusted`() throws {
        try makeKey(TestDatabase.postA)
        try makeKey(TestDatabase.postB)
        try receive(text("BNP-A", ["BA1PA1"], at: 0, clock: .untrusted, key: key(TestDatabase.postA)))
        try receive(text("BNP-B", ["BA1PA1"], at: 30, key: key(TestDatabase.postB)))
        #expect(try count("violations") == "0")
        #expect(try count("vehicle_passages") == "2")
    }

    @Test func `make one row with their upload, whichever comes first and however often, and with their unsigned twin`()
        throws
    {
        try makeKey()
        let text = try text("BNP-A", ["BA1PA1", "BA1PA2"], at: 0, key: key())
        func upload(_ plate: String, after seconds: Double) throws {
            let moment = entry + .seconds(seconds)
            try database.owner.run(
                """
                insert into vehicle_passages (client_id, sms_client_id, plate_number, vehicle_type, checkpost_id, recorded_at, clock_state)
                values (gen_random_uuid(), $1, $2, 'car', $3, $4::timestamptz + interval '0.3 s', 'synchronised')
                """,
                [
                    SMSEncoder.clientID(of: "V1|BNP-A|\(plate)|CAR|\(moment.epochSeconds)|4567").sent, plate,
                    TestDatabase.postA, moment.iso8601,
                ])
        }
        try upload("BA1PA1", after: 0)
        #expect(try receive(text) == "inserted", "one of the two is new")
        #expect(try receive(text) == "repeated")
        try upload("BA1PA2", after: 1)
        #expect(try receive(text, from: "+9779800000001") == "repeated")
        #expect(try receive(unsigned("BNP-A", "BA1PA1", at: 0)) == "repeated")
        #expect(
            try database.owner.value(
                "select string_agg(plate_number || ' ' || (client_id <> sms_client_id), ', ' order by plate_number) from vehicle_passages"
            ) == "BA1PA1 true, BA1PA2 true")
    }

    @Test func `vouch for a row that a stranger made of a guess, with its type`() throws {
        try makeKey()
        #expect(try receive("V1|BNP-A|BA1PA1|BUS|\(entry.epochSeconds)|0000") == "inserted")
        #expect(try receive(text("BNP-A", ["BA1PA1"], at: 0, key: key())) == "repeated")
        #expect(
            try database.owner.value("select count(*) || min(vehicle_type) || min(clock_state) from vehicle_passages")
                == "1carsynchronised")
    }

    @Test func `are refused in plain words where the signature is wrong or the post has no key`() throws {
        let stranger = try #require(
            TextKey(number: 1, secret: Secret(String(repeating: "ab", count: 32)), lastTextNumber: 0))
        let forged = try text("BNP-A", ["BA1PA1"], at: 0, key: stranger)
        #expect(try receive(forged) == "refused")
        #expect(try reason() == "the post has no key for signed texts")
        try makeKey()
        #expect(try receive(forged) == "refused")
        #expect(try reason()?.hasPrefix("the signature is wrong: no key of the post has made it") == true)
        // Another post's key is no key of this one.
        try makeKey(TestDatabase.postB)
        #expect(try receive(text("BNP-A", ["BA1PA1"], at: 0, key: key(TestDatabase.postB))) == "refused")
        #expect(try receive(text("BNP-X", ["BA1PA1"], at: 0, key: stranger)) == "refused")
        #expect(try reason() == "unknown checkpost")
        #expect(try count("vehicle_passages") == "0")
        #expect(try count("sms_messages") == "4")
    }

    @Test func `hold under two keys, and not under one that was ended`() throws {
        try makeKey()
        let first = try key()
        try makeKey()
        #expect(try receive(text("BNP-A", ["BA1PA1"], at: 0, key: first)) == "inserted")
        #expect(try receive(text("BNP-A", ["BA1PA2"], at: 1, number: 2, key: key(number: 2))) == "inserted")
        try makeKey()
        #expect(try receive(text("BNP-A", ["BA1PA3"], at: 2, number: 3, key: first)) == "refused")
        let third = try key(number: 3)
        try makeKey(action: "end_all")
        #expect(try receive(text("BNP-A", ["BA1PA4"], at: 3, number: 4, key: third)) == "refused")
        #expect(try count("vehicle_passages") == "2")
    }

    @Test func `are taken out of their turn, refused when they are old, and counted when they don't come`() throws {
        try makeKey()
        let key = try key()
        func send(_ number: Int64, _ plate: String) throws -> String? {
            try receive(text("BNP-A", [plate], at: Double(number % 30), number: number, key: key))
        }
        #expect(try send(3000, "BA1PA1") == "inserted")
        #expect(try send(2998, "BA1PA2") == "inserted")
        #expect(try send(2990, "BA1PA3") == "inserted")
        func state(_ name: String) throws -> String? {
            try database.owner.value("select checkpost.text_key_state($1) ->> $2", [TestDatabase.postA, name])
        }
        #expect(try state("missing") == "8")
        #expect(try state("last_text_number") == "3000")
        #expect(try send(1001, "BA1PA4") == "inserted")
        #expect(try send(1000, "BA1PA5") == "refused")
        #expect(try reason()?.contains("its number is 1000, and 3000 has come") == true)
        // One far ahead would close the key for all others.
        #expect(try send(103_001, "BA1PA6") == "refused")
        #expect(try reason()?.contains("far ahead of 3000") == true)
        #expect(try send(103_000, "BA1PA6") == "inserted")
        // Each key counts for itself.
        try makeKey()
        #expect(try receive(text("BNP-A", ["BA1PA7"], at: 1, number: 900, key: self.key(number: 2))) == "inserted")
    }

    @Test func `keep the passages that can stand, and say what is wrong with the others`() throws {
        try makeKey()
        try database.owner.run(
            """
            alter table vehicle_passages add constraint no_such_plate check (plate_number <> 'BA1PA2')
            """)
        #expect(try receive(text("BNP-A", ["BA1PA1", "BA1PA2", "BA1PA3"], at: 0, key: key())) == "inserted")
        #expect(try reason()?.hasPrefix("BA1PA2: ") == true)
        #expect(
            try database.owner.value("select string_agg(plate_number, ' ' order by 1) from vehicle_passages")
                == "BA1PA1 BA1PA3")
    }

    @Test func `are signed with a key that comes to the post's own account alone`() async throws {
        try await TestServer.run { server, database in
            let path = "/rest/v1/rpc/text_key"
            #expect(try await server.send("POST", path, json: [:]).object["version"] as? String == "V1")
            try database.owner.run(
                """
                select checkpost.put_text_key(jsonb_build_object('checkpost', $1::text, 'action', 'make', 'reason', 'r', 'was', '0'))
                """, [TestDatabase.postA])
            let taken = "select taken_at is not null from checkpost.text_keys"
            #expect(try database.owner.value(taken) == "f")
            let word = try await server.send("POST", path, json: [:])
            let secret = try database.owner.value("select encode(secret, 'hex') from checkpost.text_keys")
            #expect(word.object["version"] as? String == "V2" && word.object["secret"] as? String == secret)
            #expect(try database.owner.value(taken) == "t")
            #expect(try await server.send("POST", path, as: "c", json: [:]).object["version"] as? String == "V1")
            for user in ["admin", "service"] {
                #expect(try await server.send("POST", path, as: user, json: [:]).status == 403, "\(user)")
            }
            #expect(try await server.send("POST", path, as: "anon", json: [:]).status == 401)
            for table in ["text_keys", "checkpost.text_keys"] {
                #expect(try await server.send("GET", "/rest/v1/\(table)").status == 404, "\(table)")
            }
        }
    }
}
