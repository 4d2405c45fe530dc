import Capture
import Enforcement
import Foundation
import Storage
import Testing

@testable import Appliance

/// What was in view of a camera when its box left a folder for another one.
@Suite("Vehicles in view when a folder is left", .timeLimit(.minutes(10)))
struct OpenSightingsTests {
    private static let start = Instant(milliseconds: 1_795_255_200_000)

    private static var configuration: Configuration {
        var configuration = Configuration.pilot
        configuration.cameras = [CameraConfiguration(name: "gate", kind: .folder(path: "/nowhere"))]
        return configuration
    }

    /// A box that has looked at one picture of a vehicle, so many seconds after the start.
    private func box(_ seconds: Double) async throws -> TestPipeline {
        let box = try TestPipeline(Self.configuration)
        let frame = Frame(
            picture: try DrivePicture.firstRead(Self.configuration), recordedAt: Self.start + .seconds(seconds),
            clockState: .synchronised, camera: "gate", sourceKey: "\(seconds)")
        _ = try await box.pipeline.process(.frame(frame))
        #expect(await box.pipeline.tracker?.hasOpenSightings == true)
        return box
    }

    private func vehicles(_ box: TestPipeline) throws -> Int {
        try box.store.passages.list(limit: 10).count + box.store.sightings.list(in: .review, limit: 10).count
    }

    private func conclude(_ box: TestPipeline, besides other: TestPipeline? = nil) throws {
        try OpenSightings(configuration: Self.configuration, store: box.store)
            .conclude(besides: other?.store, at: Self.start + .minutes(1))
    }

    @Test func `are on record or wait for a ranger, once`() async throws {
        let box = try await box(0)
        #expect(try vehicles(box) == 0)
        try conclude(box)
        #expect(try vehicles(box) == 1)
        try conclude(box)
        #expect(try vehicles(box) == 1)
    }

    @Test func `are left to the folder that saw more of them`() async throws {
        let (home, away) = (try await box(0), try await box(2))
        try conclude(away)
        try conclude(home, besides: away)
        #expect(try vehicles(away) == 1 && vehicles(home) == 0)
    }

    @Test func `are another vehicle's where the time is another`() async throws {
        let (home, away) = (try await box(0), try await box(30))
        try conclude(away)
        try conclude(home, besides: away)
        #expect(try vehicles(away) == 1 && vehicles(home) == 1)
    }
}
