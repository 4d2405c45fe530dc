import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("A speed that a loop measured", .serialized, .timeLimit(.minutes(5)))
struct SpeedAtPostTests {
    @Test func `is shown at its passage, and nothing is where there is none`() async throws {
        try await Rig.run { rig in
            let sighting = try rig.doubtful("BA 1 CHA 1234")
            let passage = Passage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 CHA 1234"), plateRaw: "", vehicleType: .car,
                checkpostCode: "BNP-B", recordedAt: rig.clock.now - .minutes(2), clockState: .simulated, origin: .review
            )
            try rig.store.sightings.recordReviewed(
                sightingID: sighting, as: passage, by: "ram", at: rig.clock.now)
            let visitor = try await rig.ranger()
            let path = "/passage?id=" + passage.clientID.uuidString.lowercased()
            #expect(try await !visitor.get(path).text.contains("Speed at this post"))
            try rig.store.trigger.keep(
                TriggerEvent(name: .init(boot: 1, number: 1), at: rig.clock.now - .minutes(2), speedKmh: 43.2))
            try rig.store.trigger.pair(
                TriggerSearch(window: .seconds(5)), from: rig.clock.now - .hours(1), until: rig.clock.now)
            #expect(try await visitor.get(path).text.contains("<dt>Speed at this post</dt><dd>43.2 km/h</dd>"))
            visitor.cookies["checkpost_language"] = "ne"
            #expect(try await visitor.get(path).text.contains("<dt>यस चेकपोस्टमा गति</dt><dd>४३.२"))
        }
    }
}
