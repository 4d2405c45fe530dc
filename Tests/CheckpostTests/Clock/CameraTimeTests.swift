import Enforcement
import Foundation
import Testing

@testable import Appliance

@Suite("The time in front of a camera", .timeLimit(.minutes(1)))
struct CameraTimeTests {
    private let frame = Frame(
        picture: Data(), recordedAt: Instant(milliseconds: 1_000_000), clockState: .synchronised, camera: "gate")

    @Test func `stands still while a box takes long for a picture, and goes on from its answer`() async throws {
        var time = CameraTime(last: nil)
        #expect(time.now == nil)
        #expect(time.come(frame) == frame.recordedAt)
        // The time is what is tested.
        try await Task.sleep(for: .milliseconds(400))
        #expect(try #require(time.now) - frame.recordedAt >= .milliseconds(400))
        time.answered()
        #expect(try #require(time.now) - frame.recordedAt < .milliseconds(400))
    }
}
