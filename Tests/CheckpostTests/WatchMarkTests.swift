import Capture
import Enforcement
import Foundation
import Logging
import Recognition
import Storage
import Testing

@testable import Appliance

@Suite("Up to when a camera has watched", .timeLimit(.minutes(5)))
struct WatchMarkTests {
    private let start = Instant(milliseconds: 1_795_255_200_000)

    private func frame(_ seconds: Double, _ picture: Data, _ clock: ClockState = .synchronised) -> Frame {
        Frame(
            picture: picture, recordedAt: start + .seconds(seconds), clockState: clock, camera: "gate", sourceKey: nil)
    }

    private func picture(_ number: Int) -> Data { Data("picture \(number)".utf8) }

    @Test func `is told once a minute, and whenever something is written anyway`() {
        var mark = WatchMark()
        #expect(!mark.isDue && mark.take() == nil)
        mark.see(frame(0, picture(0)))
        #expect(mark.isDue)
        #expect(mark.take()?.upTo == start)
        #expect(mark.take() == nil, "nothing was seen since")
        mark.see(frame(59.999, picture(1)))
        #expect(!mark.isDue)
        mark.see(frame(60, picture(2)))
        #expect(mark.isDue)
        #expect(mark.take()?.upTo == start + .seconds(60))
        mark.see(frame(-10, picture(3)))
        #expect(mark.isDue, "the clock was set back")
    }

    @Test func `stands still while the camera hangs, or nobody knows the time`() {
        var mark = WatchMark()
        mark.see(frame(0, picture(0)))
        _ = mark.take()
        for second in 1...100 { mark.see(frame(Double(second), picture(0))) }
        #expect(!mark.isDue && mark.take() == nil)
        mark.see(frame(101, picture(1), .untrusted))
        #expect(!mark.isDue && mark.take() == nil)
        mark.see(frame(102, picture(2)))
        #expect(mark.take()?.upTo == start + .seconds(102))
    }

    @Test func `names the stretch in which pictures came without a break, whatever the clock showed`() throws {
        var mark = WatchMark()
        func take(_ second: Double, _ clock: ClockState = .synchronised, at uptime: Double) -> FrameCommit.Watch? {
            mark.see(
                frame(second, picture(Int(uptime)), clock), at: Instant(milliseconds: Int64(uptime * 1000)))
            return mark.take()
        }
        #expect(take(0, .untrusted, at: 10) == nil)
        let first = try #require(take(5000, at: 110)?.stretch)
        #expect(first.start == start + .seconds(4900), "as the clock would have shown it")
        #expect(take(-90, at: 290)?.stretch?.id == first.id)
        let second = try #require(take(5500, at: 471)?.stretch)
        #expect(second.id != first.id && second.start == start + .seconds(5500))
        var folder = frame(6000, picture(6000))
        folder.sourceKey = "a"
        mark.see(folder)
        let ofFolder = mark.take()
        #expect(ofFolder != nil && ofFolder?.stretch == nil)
    }

    @Test func `is on record on a quiet road, without a vehicle`() async throws {
        var configuration = Configuration.pilot
        // Nothing is looked for in the picture: a road on which nothing comes.
        configuration.cameras = [
            CameraConfiguration(
                name: "gate", kind: .folder(path: "/nowhere"), mask: try #require(PictureMask("0,0,100,99")))
        ]
        let box = try TestPipeline(configuration)
        let (store, pipeline) = (box.store, box.pipeline)
        func watched() throws -> Instant? {
            try store.sightings.reviewsToTell(asOf: start + .hours(1), cameras: ["gate"], by: .server).completeUpTo
        }
        let road = try DrivePicture.firstRead(configuration)
        for second in [0.0, 30, 70] {
            // A live camera's pictures are never the same, byte for byte.
            _ = try await pipeline.process(.frame(frame(second, road + picture(Int(second)))))
        }
        #expect(try watched() == start + .seconds(70))
        _ = try await pipeline.process(.frame(frame(140, picture(140))))
        #expect(try watched() == start + .seconds(70), "what can't be read shows no road")
    }
}
