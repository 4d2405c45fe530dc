import Enforcement
import Foundation
import Notices
import TestKit
import Testing

@testable import checkpost_server

@Suite("The notice that the park's office writes", .serialized, .timeLimit(.minutes(10)))
struct WardenNoticeTests {
    @Test func `says the same as the post's, with its number, in both languages`() async throws {
        try await TestServer.run { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            let photo = "/storage/v1/object/passage-photos/\(passages.exit).jpg"
            let picture = try SamplePicture.drive()
            #expect(try await server.send("POST", photo, as: "admin", body: picture).status == 200)
            try database.owner.run(
                """
                insert into violation_outcomes (violation_id, outcome_type, fine_amount, acted_by)
                select id, 'fined', 1500, 'Ram Thapa' from violations
                """)
            let id = try database.owner.value("select id from violations") ?? ""
            let visitor = try await server.warden()
            let path = "/warden/notice?violation=\(id)"
            #expect(try await visitor.get("/warden/passage?id=\(passages.exit)").text.contains(path))
            let answer = try await visitor.get(path)
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/pdf")
            let client = try database.owner.value(
                "select client_id from vehicle_passages where id = $1", [passages.entry])
            let row = try database.owner.run(
                "select to_char(exit_time at time zone 'Asia/Kathmandu', 'YYYYMMDD') from violations")
            let number = "BNP-B-\(row.scalar ?? "")-\((client ?? "").prefix(8).uppercased())"
            #expect(answer.headers["content-disposition"] == "attachment; filename=\"\(number).pdf\"")
            #expect(answer.body.range(of: picture) != nil, "the picture as the camera gave it")
            let pages = try PaperReader.pages(of: answer.body)
            #expect(pages.count == 2, "\(pages)")
            for part in [
                number, "BA 1 PA 1234", "Entry BNP-A", "Exit BNP-B", "Fined, Rs 1500", "Ram Thapa", "confirmed",
                "For the park: ", "No picture", "at most 40 km/h",
            ] { #expect(pages.first?.contains(part) == true, "\(part): \(pages)") }
            for part in [number, "१५००"] { #expect(pages.last?.contains(part) == true, "\(part): \(pages)") }
        }
    }
}
