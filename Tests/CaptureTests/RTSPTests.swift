import Enforcement
import Foundation
import Testing

@testable import Capture

/// Against GStreamer's RTSP server. deploy/test installs it.
@Suite("An RTSP camera", .timeLimit(.minutes(10)))
struct RTSPTests {
    private struct Server {
        let process: RunningProgram
        let port: String

        init(_ login: [String] = []) throws {
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Support/rtsp-server.py"
            process = try RunningProgram("/usr/bin/python3", [script] + login)
            let line = try process.firstLine()
            try #require(
                Int(line) != nil,
                "The RTSP server did not start. Run deploy/test, which installs the packages of the kind `test` in deploy/packages."
            )
            port = line
        }

        func source(_ login: String = "", user: String? = nil, password: Secret? = nil) -> FFmpegSource {
            FFmpegSource(
                camera: "gate",
                input: .rtsp(url: Secret("rtsp://\(login)127.0.0.1:\(port)/live"), user: user, password: password),
                stallTimeout: .seconds(5))
        }
    }

    @Test func `gives pictures with the time of their arrival, and starts again when the camera was away`() async throws
    {
        let server = try Server()
        let given = Collector()
        let before = CaptureClock.live.now()
        let supervised = SupervisedSource(
            camera: "gate", source: server.source(), silentAfter: nil,
            backoff: Backoff(firstDelay: .milliseconds(50), longestDelay: .milliseconds(100)))
        let task = Task {
            try await supervised.run {
                given.take($0)
            } report: {
                given.report($0)
            }
        }
        try await eventually("frames") { given.frames.count >= 3 }
        #expect(given.frames.allSatisfy { PictureCheck.of($0.picture) == .complete })
        #expect(given.frames.allSatisfy { (before...CaptureClock.live.now()).contains($0.recordedAt) })
        server.process.stop()
        try await eventually("failed") { supervised.status.phase == .failed }
        #expect(supervised.status.failure?.reason.contains("rtsp://127.0.0.1:\(server.port)/live") == true)
        task.cancel()
        try await task.value
        #expect(try RunningProgram.ffmpegProcesses(with: ":\(server.port)/live") == [])
    }

    @Test func `logs in, and tells of a refused login without telling the password`() async throws {
        let server = try Server(["admin", "geheim"])
        try await running(server.source(user: "admin", password: "geheim")) { given in
            try await eventually("a frame") { given.frames.count >= 1 }
        }
        do {
            try await server.source("admin:falsch99@").run { _ in }
            Issue.record("a wrong password was taken")
        } catch {
            let failure = try #require(error as? CameraFailure)
            #expect(failure.hint.contains("password") && failure.retriesLate)
            #expect(!"\(failure)".contains("falsch99"))
            #expect(failure.reason.contains("401"))
        }
        server.process.stop()
    }
}
