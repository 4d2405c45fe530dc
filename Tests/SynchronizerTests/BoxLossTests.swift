import Enforcement
import Foundation
import ParkAPI
import Storage
import Testing

@testable import Synchronizer

@Suite("A box that lost its records", .timeLimit(.minutes(10)))
struct BoxLossTests {
    /// What the server has of this post, and the picture of which is read once more before there is contact.
    private func lostAndRead(_ rig: Rig, plates: [String]) throws -> [Passage] {
        let first = try plates.enumerated().map { index, plate in
            let passage = try rig.record(plate, minute: Double(index) - 60)
            let cells: [PassageColumn: Any] = [
                .clientID: UUID().sent, .plate: passage.plate.compact, .plateRaw: plate, .vehicleType: "car",
                .checkpost: ParkServer.postA, .segment: ParkServer.segment, .recordedAt: passage.recordedAt.iso8601,
                .source: "app", .match: NSNull(), .clockState: "synchronised",
                .receivedAt: "2026-11-21T09:00:00+00:00",
            ]
            rig.server.insert(cells)
            return passage
        }
        return first
    }

    @Test func `sends nothing before it knows what the server has, though the first answer is of no use`() throws {
        let rig = try Rig { $0.pageSize = 1 }
        let read = try lostAndRead(rig, plates: ["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"])
        let ids = rig.server.texts("vehicle_passages", "client_id")
        rig.server.fail("/rest/v1/vehicle_passages", .portal, times: 4)
        try rig.run(for: .minutes(3))
        #expect(rig.server.texts("vehicle_passages", "client_id") == ids)
        #expect(try Set(rig.store.passages.list().map(\.id.sent)) == Set(ids))
        #expect(try rig.store.passages.list().count == read.count)
        #expect(try rig.count(.pending) == 0)
    }

    @Test func `knows after a restart that it had read only a part of it`() throws {
        let rig = try Rig {
            $0.pageSize = 1
            $0.maximumPagesACycle = 1
        }
        _ = try lostAndRead(rig, plates: ["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"])
        let ids = rig.server.texts("vehicle_passages", "client_id")
        for _ in 0..<6 {
            try rig.engine.tick()
            try rig.restart()
        }
        try rig.run(for: .minutes(3))
        #expect(rig.server.texts("vehicle_passages", "client_id") == ids)
        #expect(try rig.count(.pending) == 0)
    }

    @Test func `sends what it has when the server says for a quarter of an hour nothing of use`() throws {
        let rig = try Rig()
        try rig.run(for: .seconds(2))
        try rig.store.cursors.forget(PullCursor.allCases.map { $0.prefix + ParkServer.postA })
        try rig.restart()
        try rig.record("BA 1 PA 1")
        rig.server.fail(
            "/rest/v1/vehicle_passages", .answer(Answered(status: 200, body: Data("{}".utf8))), times: 10_000)
        try rig.run(for: .minutes(14))
        #expect(rig.server.requests("POST", "/rest/v1/vehicle_passages").isEmpty)
        try rig.run(for: .minutes(3))
        #expect(!rig.server.requests("POST", "/rest/v1/vehicle_passages").isEmpty)
    }
}
