import Enforcement
import Foundation
import Notices
import Paper
import Storage
import TestKit
import Testing

@testable import Console

/// BNP-B stands on a second road too, 20 km to BNP-E. The server found a violation there.
@Suite("A violation of a further road", .serialized, .timeLimit(.minutes(10)))
struct FurtherRoadTests {
    private static func found(_ rig: Rig) throws -> UUID {
        let (exit, entry) = (rig.clock.now - .minutes(1), rig.clock.now - .minutes(11))
        let own = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 CHA 1234"), plateRaw: "", vehicleType: .car,
            checkpostCode: "BNP-B", recordedAt: exit, clockState: .simulated, confidence: 0.9, origin: .camera)
        try rig.store.passages.record(own, at: rig.clock.now)
        let (ownRow, other, violation) = (UUID(), UUID(), UUID())
        _ = try rig.store.reconciliation.learn(
            [OwnServerRow(clientID: own.clientID, serverID: ownRow, matchedServerID: nil, plate: own.plate)],
            at: rig.clock.now)
        try rig.store.segments.keep(
            Segment(id: UUID(), name: "B to E", distanceKm: 20, maxSpeedKmh: 40, minSpeedKmh: 10),
            checkposts: [
                Checkpost(id: UUID(), code: "BNP-B-2", name: "B", positionIndex: 0),
                Checkpost(id: UUID(), code: "BNP-E", name: "E", positionIndex: 1),
            ], at: rig.clock.now)
        try rig.store.furtherPassages.keep(
            [FurtherPassage(clientID: UUID(), serverID: other, checkpostCode: "BNP-E")], at: rig.clock.now)
        try rig.store.reconciliation.take(
            [
                ServerViolation(
                    serverID: violation, kind: .speeding, entryServerID: other, exitServerID: ownRow, plate: own.plate,
                    vehicleType: .car, entryTime: entry, exitTime: exit, distanceKm: 20, speedLimitKmh: 40,
                    toleranceKmh: 0, tolerancePercent: 0, calculatedSpeedKmh: 120, isImplausible: false)
            ], at: rig.clock.now)
        return violation
    }

    @Test func `names the post and the road where it was, on the screen and on paper`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let id = try Self.found(rig)
            let visitor = try await rig.ranger()
            let page = try await visitor.get("/").text
            #expect(page.contains("BA 1 CHA 1234") && page.contains("120") && page.contains("BNP-E"), "\(page)")
            #expect(!page.contains("BNP-A"), "the post of the other road")
            let pages = try PaperReader.pages(of: try await visitor.get("/notice?violation=\(id)").body)
            for part in ["Entry BNP-E", "Exit BNP-B", "B to E", "20 km"] {
                #expect(pages.first?.contains(part) == true, "\(part): \(pages)")
            }
        }
    }
}
