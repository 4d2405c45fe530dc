import Enforcement
import Foundation
import Testing

@testable import Capture

@Suite("An ffmpeg source", .timeLimit(.minutes(10)))
struct FFmpegSourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A video of uneven frame times, as cameras with a variable rate write them. Returns the times in milliseconds.
    private func makeUnevenVideo(_ name: String, selecting: String = "not(mod(n,7))+eq(n,1)+eq(n,3)") throws -> [Int64]
    {
        try RunningProgram.run(
            "/usr/bin/ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=4", "-vf",
                "select='\(selecting)'", "-fps_mode", "vfr", folder.file(name),
            ])
        let frames = [0, 1, 3] + Array(stride(from: 7, to: 100, by: 7))
        return frames.map { Int64($0) * 40 }
    }

    @Test func `gives every frame of a video file with its own time, though the rate varies`() async throws {
        let times = try makeUnevenVideo("gate_20261121T101530.500Z.mp4")
        let source = ReplayInput.makeSource(path: folder.file("gate_20261121T101530.500Z.mp4"), camera: "replay")
        let given = Collector()
        try await source.run { given.take($0) }
        let start = try #require(Instant(iso8601: "2026-11-21T10:15:30.500Z"))
        #expect(given.frames.map { ($0.recordedAt - start).milliseconds } == times)
        #expect(given.frames.allSatisfy { $0.clockState == .simulated && PictureCheck.of($0.picture) == .complete })
        #expect(Set(given.frames.map(\.picture)).count == times.count)
    }

    @Test func `waits for a slow consumer of a video file and loses no frame at its end`() async throws {
        let times = try makeUnevenVideo("slow.mp4")
        let start = Instant(milliseconds: 1_000_000)
        let source = FFmpegSource(
            camera: "replay", input: .file(path: folder.file("slow.mp4"), start: start), clock: .simulated)
        let given = Collector()
        try await source.run {
            // The slowness itself.
            try await Task.sleep(for: .milliseconds(60))
            given.take($0)
        }
        #expect(given.frames.map { ($0.recordedAt - start).milliseconds } == times)
    }

    @Test func `passes over frames that are not wanted, and keeps the times of the others`() async throws {
        try RunningProgram.run(
            "/usr/bin/ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=4",
                folder.file("even.mp4"),
            ])
        let start = Instant(milliseconds: 0)
        let source = FFmpegSource(
            camera: "replay", input: .file(path: folder.file("even.mp4"), start: start), framesPerSecond: 5,
            clock: .simulated)
        let given = Collector()
        try await source.run { given.take($0) }
        #expect(given.frames.map(\.recordedAt.milliseconds) == stride(from: Int64(0), to: 4000, by: 200).map { $0 })
    }

    @Test func `tells why a file can't be played`() async throws {
        try folder.write(Data("no video".utf8), "bad.mp4")
        for name in ["bad.mp4", "missing.mp4"] {
            let source = ReplayInput.makeSource(path: folder.file(name), camera: "replay")
            await #expect {
                try await source.run { _ in }
            } throws: { error in
                guard let failure = error as? CameraFailure else { return false }
                return failure.reason.contains(name) && !failure.hint.isEmpty
            }
        }
    }

    @Test func `says what to install when there is no ffmpeg`() async throws {
        let source = FFmpegSource(
            camera: "gate", input: .v4l2(device: "/dev/video0", size: nil), program: folder.file("ffmpeg"))
        await #expect {
            try await source.run { _ in }
        } throws: { error in
            (error as? CameraFailure)?.hint.contains("Install the package ffmpeg") == true
        }
    }

    @Test func `says so when a device is missing`() async throws {
        let source = FFmpegSource(camera: "gate", input: .v4l2(device: "/dev/video-none", size: nil))
        await #expect {
            try await source.run { _ in }
        } throws: { error in
            (error as? CameraFailure)?.hint.contains("plugged in") == true
        }
    }

    @Test func `asks a V4L2 device for its size, and an RTSP camera for TCP and a time-out`() {
        let device = FFmpegArguments(
            input: .v4l2(device: "/dev/video2", size: "1280x720"), framesPerSecond: 2, stallTimeout: .seconds(10)
        ).list
        #expect(device.joined(separator: " ").contains("-f v4l2 -video_size 1280x720 -i /dev/video2 "))
        #expect(device.contains { $0.hasPrefix("select='isnan(prev_selected_t)+gte(t-prev_selected_t,0.4750)'") })
        let camera = FFmpegArguments(
            input: .rtsp(url: "rtsp://cam:554/live", user: "a b", password: "p@s/s"), framesPerSecond: nil,
            stallTimeout: .seconds(7)
        ).list.joined(separator: " ")
        #expect(camera.contains("-rtsp_transport tcp -timeout 7000000 "))
        #expect(camera.contains("-i rtsp://a%20b:p%40s%2Fs@cam:554/live "))
        #expect(!camera.contains("showinfo"))
    }

    @Test func `leaves no child behind when it is cancelled`() async throws {
        _ = try makeUnevenVideo("held.mp4", selecting: "1")
        let source = ReplayInput.makeSource(path: folder.file("held.mp4"), camera: "replay")
        let given = Collector()
        let task = Task {
            try await source.run {
                given.take($0)
                // Held for as long as it takes: cancelling ends it.
                try await Task.sleep(for: .seconds(60))
            }
        }
        let path = folder.file("held.mp4")
        try await eventually("a frame") { !given.items.isEmpty }
        task.cancel()
        _ = await task.result
        #expect(try RunningProgram.ffmpegProcesses(with: path) == [])
    }

    @Test func `starts ffmpeg again when it dies`() async throws {
        _ = try makeUnevenVideo("endless.mp4", selecting: "1")
        // What a live camera's child does, without a camera: the input is looped, in real time.
        let script = folder.file("ffmpeg")
        let text = """
            #!/bin/sh
            exec /usr/bin/ffmpeg -nostdin -v error -re -stream_loop -1 -i \(folder.file("endless.mp4")) \
            -c:v mjpeg -f image2pipe pipe:1
            """
        try folder.write(Data(text.utf8), "ffmpeg")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        let source = FFmpegSource(camera: "gate", input: .v4l2(device: "/dev/video0", size: nil), program: script)
        let supervised = SupervisedSource(
            camera: "gate", source: source, silentAfter: nil,
            backoff: Backoff(firstDelay: .milliseconds(20), longestDelay: .milliseconds(50)))
        let given = Collector()
        let task = Task {
            try await supervised.run {
                given.take($0)
            } report: {
                given.report($0)
            }
        }
        try await eventually("frames") { given.frames.count > 3 }
        for child in try RunningProgram.ffmpegProcesses(with: folder.path) { kill(child, SIGKILL) }
        try await eventually("recovered") {
            given.events.contains { if case .recovered = $0 { true } else { false } }
        }
        let count = given.frames.count
        try await eventually("more frames") { given.frames.count > count + 3 }
        task.cancel()
        try await task.value
        #expect(try RunningProgram.ffmpegProcesses(with: folder.path) == [])
        #expect(given.events.count == 3)
    }
}
