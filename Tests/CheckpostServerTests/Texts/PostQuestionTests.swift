import Enforcement
import Foundation
import Pages
import ParkAPI
import TestKit
import Testing

@testable import checkpost_server

@Suite("What the office asks a post by SMS", .serialized, .timeLimit(.minutes(10)))
struct PostQuestionTests {
    /// Makes a key for a post, as if it had fetched it.
    private static func makeKey(_ database: TestDatabase) throws -> TextKey {
        try database.owner.run(
            """
            select checkpost.put_text_key(jsonb_build_object('checkpost', $1::text, 'action', 'make', 'reason', 'r', 'was',
                checkpost.text_key_state($1::uuid) ->> 'newest'))
            """, [TestDatabase.postA])
        try database.owner.run("update checkpost.text_keys set taken_at = now() where taken_at is null")
        let row = try database.owner.run(
            "select number, encode(secret, 'hex') from checkpost.text_keys order by number desc limit 1"
        ).rows.first
        return try #require(
            TextKey(number: Int(row?[0] ?? "") ?? 0, secret: Secret(row?[1] ?? ""), lastTextNumber: 0))
    }

    private static func ask(_ database: TestDatabase, _ wish: String, phone: String? = nil) throws {
        try database.owner.run(
            "select checkpost.ask_post(jsonb_build_object('checkpost', $1::text, 'wish', $2::text, 'phone', $3::text))",
            [TestDatabase.postA, wish, phone])
    }

    private static func body(_ database: TestDatabase) throws -> String {
        try database.owner.value("select body from checkpost.post_questions order by number desc limit 1") ?? ""
    }

    private static func receive(_ text: String, _ database: TestDatabase) throws -> String? {
        try database.owner.value("select checkpost.receive_sms($1, '+977', null) ->> 'result'", [text])
    }

    @Test func `is what the post reads, under the key that it has fetched, with a number that grows`() throws {
        let database = try TestDatabase()
        #expect(throws: PostgresError.self) { try Self.ask(database, "status") }
        let key = try Self.makeKey(database)
        // A newer key that nobody has fetched yet is none of the post's.
        try database.owner.run(
            "select checkpost.put_text_key(jsonb_build_object('checkpost', $1::text, 'action', 'make', 'reason', 'r', 'was', '1'))",
            [TestDatabase.postA])
        var last: Int64 = 0
        for _ in 0..<3 {
            try Self.ask(database, "status")
            let question = try PostQuestion.read(Self.body(database), key: key)
            #expect(question.checkpostCode == "BNP-A" && question.wish == .status && question.number > last)
            last = question.number
        }
        #expect(abs(last - Int64(Date().timeIntervalSince1970)) < 600)
        #expect(throws: PostgresError.self) { try Self.ask(database, "everything") }
        #expect(throws: PostgresError.self, "no text is missing") { try Self.ask(database, "texts") }
    }

    @Test func `for missing texts names the first ones, ten numbers at most`() throws {
        let database = try TestDatabase()
        let key = try Self.makeKey(database)
        for number in [1, 2, 5, 9, 30] {
            let text = try SignedSMSEncoder.encode(
                SignedSMS(
                    checkpostCode: "BNP-A", number: Int64(number), rangerPhoneSuffix: "4567",
                    entries: [
                        .init(
                            compactPlate: "BA1PA\(number)", vehicleType: .car,
                            recordedAt: Instant(milliseconds: Int64(Date().timeIntervalSince1970) * 1000),
                            clock: .synchronised)
                    ]), key: key)
            #expect(try Self.receive(text, database) == "inserted")
        }
        let missing =
            "(select string_agg(n::text, ' ' order by n) from checkpost.missing_texts('\(TestDatabase.postA)') n)"
        #expect(
            try database.owner.value("select \(missing)")
                == ([3, 4, 6, 7, 8] + Array(10...29)).map(String.init).joined(separator: " "))
        try Self.ask(database, "texts")
        #expect(try PostQuestion.read(Self.body(database), key: key).wish == .texts(3...12))
    }

    @Test func `stands on the post's page with the text to send, and with what the post answers`() async throws {
        try await TestServer.run { server, database in
            _ = try database.addUser("office", role: "warden")
            let (admin, office) = (try await server.warden(), try await server.warden("office"))
            #expect(try await !admin.get("/warden/post?code=BNP-A").text.contains("/warden/do/post/ask"))
            let early = try await admin.post("/warden/do/post/ask", ["code": "BNP-A", "wish": "status"])
            #expect(early.status == 409 && early.text.contains("fetched no key"))
            let key = try Self.makeKey(database)
            let word = ["code": "BNP-A", "wish": "status"]
            for visitor in [office, Visitor(port: server.port)] {
                #expect(try await visitor.post("/warden/do/post/ask", word).status == 403)
            }
            #expect(try await admin.post("/warden/do/post/ask", word.merging(["phone": "x"]) { $1 }).status == 422)
            #expect(try await admin.post("/warden/do/post/ask", word.merging(["code": "BNP-Z"]) { $1 }).status == 404)
            #expect(try await admin.post("/warden/do/post/ask", word).location?.hasSuffix("said=asked") == true)
            let body = try Self.body(database)
            let page = try await admin.get("/warden/post?code=BNP-A&said=asked").text
            #expect(page.contains("<code>\(body)</code>") && page.contains("The question is written"))
            #expect(!page.contains("name=\"phone\""), "a server without a modem")

            let number = try PostQuestion.read(body, key: key).number
            let answer = PostAnswer(
                checkpostCode: "BNP-A", number: number, facts: [.waiting: 1234, .offlineMinutes: 61, .alarms: 2])
            let text = answer.text(key: key)
            #expect(try Self.receive(String(text.dropLast()) + "!", database) == "refused")
            #expect(try Self.receive(text, database) == "answered")
            #expect(try Self.receive(text, database) == "repeated")
            let unasked = PostAnswer(checkpostCode: "BNP-A", number: number + 1, facts: [.waiting: 1])
            #expect(try Self.receive(unasked.text(key: key), database) == "refused")
            let seen = try await office.get("/warden/post?code=BNP-A").text
            #expect(seen.contains("Answered ") && seen.contains("Records that wait for the server: 1234"))
            #expect(seen.contains("server for 1:01 (hours") && seen.contains("Alarms: 2") && !seen.contains("<code>"))
            let texts = try await office.get("/warden/texts?result=answered").text
            #expect(texts.contains(text) && texts.contains("an answer of a post"))
        }
    }

    @Test func `has words for each fact that a post may tell`() {
        for texts in [Texts.english, Texts.nepali] {
            for fact in PostAnswer.Fact.allCases {
                #expect(texts.all["fact_\(fact)"]?.contains("{n}") == true, "\(fact)")
            }
        }
    }

    @Test func `goes out by the server's own modem, and says why it could not`() async throws {
        let modem = try ScriptedModem(
            Dialogue(
                text: Dialogue.ready
                    + "on AT+CMGS=*\n  prompt\n  < +CMGS: 41\n  < OK\non AT+CMGS=*\n  prompt\n  < +CMS ERROR: 38\n"))
        defer { modem.stop() }
        try await TestServer.run({ settings in
            settings.textModem = .init(device: modem.path)
            settings.textModem?.folder = modem.directory.path + "/texts"
        }) { server, database in
            let admin = try await server.warden()
            _ = try Self.makeKey(database)
            try database.owner.run(
                "insert into sms_senders (checkpost_id, number) values ($1, '9779811111111')", [TestDatabase.postA])
            let page = try await admin.get("/warden/post?code=BNP-A").text
            #expect(page.contains("name=\"phone\" type=\"tel\" value=\"+9779811111111\""))
            let word = ["code": "BNP-A", "wish": "status", "phone": "+9779811111111"]
            #expect(try await admin.post("/warden/do/post/ask", word).status == 303)
            #expect(
                try await eventually(60) {
                    try await admin.get("/warden/post?code=BNP-A").text.contains("Given to the server&#39;s modem")
                })
            #expect(modem.received.contains { $0.hasPrefix("AT+CMGS=") })
            #expect(try await admin.post("/warden/do/post/ask", word).status == 303)
            #expect(
                try await eventually(60) {
                    let text = try await admin.get("/warden/post?code=BNP-A").text
                    return text.contains("could not send it") && text.contains("<code>Q2.BNP-A.")
                })
        }
    }
}
