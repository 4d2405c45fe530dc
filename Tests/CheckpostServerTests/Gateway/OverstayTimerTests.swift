import Foundation
import Testing

@testable import checkpost_server

@Suite("The server's overstay timer", .serialized, .timeLimit(.minutes(10)))
struct OverstayTimerTests {
    @Test func `raises an alert by itself, once, and goes on`() async throws {
        try await TestServer.run({ $0.overstayIntervalMinutes = 0.005 }) { server, database in
            for plate in ["A1", "A2"] {
                let passage = TestServer.passage(plate, TestDatabase.hoursAgo(30))
                #expect(try await server.send("POST", "/rest/v1/vehicle_passages", json: passage).status == 201)
                let count = "select count(*) from proactive_overstay_alerts where plate_number = $1"
                for _ in 0..<600 where try database.owner.value(count, [plate]) == "0" {
                    try await Task.sleep(for: .milliseconds(100))
                }
                #expect(try database.owner.value(count, [plate]) == "1")
            }
            // It has looked at the first vehicle again when it told of the second.
            #expect(try database.owner.value("select count(*) from proactive_overstay_alerts") == "2")
        }
    }
}
