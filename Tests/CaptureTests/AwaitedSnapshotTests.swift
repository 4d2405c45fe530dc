import Enforcement
import Foundation
import TestKit
import Testing

@testable import Capture

@Suite("A camera that is asked for single pictures", .timeLimit(.minutes(5)))
struct AwaitedSnapshotTests {
    @Test func `is asked at once and again while a vehicle is awaited`() async throws {
        let picture = Pictures.jpeg(tag: 1)
        let server = try LoopbackServer { connection, _ in
            connection.answer("200 OK", ["Content-Type: image/jpeg"], body: picture)
        }
        let isAwaited = Guarded(false)
        let camera = CameraConfiguration(
            name: "gate",
            kind: .snapshots(
                url: Secret(server.url("/snap.jpg")), user: nil, password: nil, verifiesTLS: true,
                interval: .seconds(600)))
        try await running(camera.makeSource(clock: .simulated, isAwaited: { isAwaited.withLock { $0 } })) { _ in
            try await eventually("the first request") { server.requests.count == 1 }
            isAwaited.withLock { $0 = true }
            try await eventually("three more") { server.requests.count >= 4 }
        }
    }
}
