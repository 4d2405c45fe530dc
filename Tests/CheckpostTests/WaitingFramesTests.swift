import Capture
import Enforcement
import Foundation
import Logging
import Recognition
import Storage
import Testing

@testable import Appliance

@Suite("Time that passes before a camera", .timeLimit(.minutes(15)))
struct WaitingFramesTests {
    @Test(.timeLimit(.minutes(5)))
    func `decides nothing about a vehicle while frames of it may wait to be looked at`() async throws {
        var configuration = Configuration.pilot
        configuration.reader.tracking.readingsToDecide = 1000
        configuration.reader.tracking.timeToDecide = .milliseconds(1)
        configuration.reader.tracking.timeToReview = .milliseconds(1)
        configuration.reader.tracking.timeToReviewWriting = .milliseconds(1)
        let box = try TestPipeline(configuration)
        let (store, pipeline) = (box.store, box.pipeline)
        let picture = try DrivePicture.firstRead(configuration)
        let frame = Frame(
            picture: picture, recordedAt: Instant(milliseconds: 1_795_255_200_000), clockState: .synchronised,
            camera: "gate", sourceKey: "0")
        _ = try await pipeline.process(.frame(frame))
        func decided() throws -> Int {
            try store.passages.list(limit: 10).count + store.sightings.list(in: .review, limit: 10).count
        }
        #expect(await pipeline.tracker?.hasOpenSightings == true)
        _ = try await pipeline.tick(isCaughtUp: false)
        #expect(try decided() == 0)
        // The time that a vehicle has to be there for must have passed since its frame, however fast the machine is.
        try await Task.sleep(for: .milliseconds(20))
        _ = try await pipeline.tick(isCaughtUp: true)
        #expect(try decided() == 1)
    }
}
