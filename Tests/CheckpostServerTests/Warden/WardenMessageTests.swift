import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("The texts at the warden's page", .serialized, .timeLimit(.minutes(10)))
struct WardenMessageTests {
    private static func receive(_ database: TestDatabase, _ text: String, from sender: String) throws {
        _ = try database.owner.run("select checkpost.receive_sms($1, $2, $3)", [text, sender, UUID().uuidString])
    }

    @Test func `are listed with what became of them, and found by plate, number, reason and result`() async throws {
        try await TestServer.run { server, database in
            let time = Int(Date().timeIntervalSince1970) - 600
            try Self.receive(database, "V1|BNP-A|BA1PA1234|CAR|\(time)|0000", from: "+9779800000001")
            try Self.receive(database, "V1|BNP-Q|BA2PA2222|BUS|\(time)|0000", from: "+9779800000002")
            try Self.receive(database, "<b>Win a prize!</b>", from: "NTC")
            let visitor = try await server.warden()
            let page = try await visitor.get("/warden/texts")
            #expect(page.status == 200 && page.text.contains("BA 1 PA 1234") && page.text.contains("made a passage"))
            #expect(page.text.contains("unknown checkpost") && page.text.contains("&lt;b&gt;Win a prize!&lt;/b&gt;"))
            let passage = try database.owner.value("select id from vehicle_passages") ?? ""
            #expect(page.text.contains("/warden/passage?id=\(passage)"))
            for (query, found) in [
                ("q=ba+1+pa+1234", "+9779800000001"), ("q=%E0%A4%AC%E0%A4%BE+%E0%A5%A7", "+9779800000001"),
                ("q=0000002", "BNP-Q"), ("q=unknown+checkpost", "BNP-Q"), ("result=refused&q=prize", "NTC"),
                ("result=inserted", "+9779800000001"),
            ] {
                let text = try await visitor.get("/warden/texts?\(query)").text
                #expect(text.contains(found) && text.components(separatedBy: "class=\"sent\"").count == 2, "\(query)")
            }
            for query in ["result=repeated", "q=BA9PA9999", "to=2020-01-01", "q=%27%25_"] {
                #expect(try await visitor.get("/warden/texts?\(query)").text.contains("Nothing found"), "\(query)")
            }
        }
    }

    @Test func `go on page by page, each text once`() async throws {
        try await TestServer.run { server, database in
            try database.owner.run(
                """
                insert into sms_messages (sender, body, result, received_at)
                select '+977' || g, 'text ' || g, 'refused', now() - g / 3 * interval '1 minute' from generate_series(1, 120) g
                """)
            let visitor = try await server.warden()
            var (seen, path): ([String], String?) = ([], "/warden/texts")
            while let next = path, seen.count < 500 {
                let page = try await visitor.get(next).text
                seen += page.matches(of: /class="sent">(text \d+)</).map { String($0.output.1) }
                path = page.firstMatch(of: /class="button more" href="([^"]*)"/).map {
                    String($0.output.1).replacing("&amp;", with: "&")
                }
            }
            #expect(seen.count == 120 && Set(seen).count == 120)
        }
    }

    @Test func `are for those who read all: a sender's number is nobody else's`() async throws {
        try await TestServer.run { server, database in
            _ = try database.addUser("audit", role: "auditor")
            #expect(try await server.warden("audit").get("/warden/texts").status == 200)
            let ranger = try await server.warden("a")
            #expect(try await ranger.get("/warden/texts").status == 403)
            #expect(try await ranger.get("/warden/fragments/texts").status == 403)
            #expect(try await !ranger.get("/warden").text.contains("/warden/texts"))
        }
    }

    @Test func `of several passages show each of them, and why one is refused`() async throws {
        try await TestServer.run { server, database in
            let text = "V2.BNP-A.1.4321.TOUK16.BA1PA1234c.BA2KHA77b1F.4u1qxVF:ofbG"
            try Self.receive(database, text, from: "+9779800000001")
            let page = try await server.warden().get("/warden/texts?q=ba+2+kha+77").text
            #expect(page.contains("BA 1 PA 1234") && page.contains("BA 2 KHA 77") && page.contains("refused"))
            #expect(page.contains("the post has no key for signed texts"))
        }
    }
}
