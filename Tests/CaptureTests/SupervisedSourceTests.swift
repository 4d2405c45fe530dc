import Enforcement
import Foundation
import Testing

@testable import Capture

@Suite("A supervised source", .timeLimit(.minutes(10)))
struct SupervisedSourceTests {
    /// A source whose run is the test's own code.
    private struct Scripted: FrameSource {
        let pacing: Pacing
        let script: @Sendable (@Sendable (CaptureItem) async throws -> Void) async throws -> Void

        func run(_ deliver: @escaping @Sendable (CaptureItem) async throws -> Void) async throws {
            try await script(deliver)
        }
    }

    private static func frame(_ number: Int) -> CaptureItem {
        .frame(
            Frame(
                picture: Data(), recordedAt: Instant(milliseconds: Int64(number)), clockState: .simulated,
                camera: "gate"))
    }

    private struct DiskFull: Error {}

    @Test func `drops the oldest frames of a live source when its consumer is slow, and counts them`() async throws {
        let source = Scripted(pacing: .live) { deliver in
            for number in 0..<100 { try await deliver(Self.frame(number)) }
        }
        let supervised = SupervisedSource(camera: "gate", source: source, silentAfter: nil, bufferCapacity: 4)
        let given = Collector()
        let gate = Guarded(false)
        let task = Task {
            try await supervised.run { item in
                while !gate.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
                given.take(item)
            } report: {
                given.report($0)
            }
        }
        try await eventually("all were sent") { supervised.status.frameCount == 100 }
        gate.withLock { $0 = true }
        try await task.value
        let times = given.frames.map(\.recordedAt.milliseconds)
        #expect(times.suffix(4) == [96, 97, 98, 99])
        #expect(times.count <= 5)
        #expect(supervised.status.droppedCount == 100 - times.count)
        #expect(supervised.status.lastFrameAt == Instant(milliseconds: 99))
    }

    @Test(arguments: [Pacing.live, .consumer])
    func `ends with the consumer's own error, and takes it for no failure of the camera`(pacing: Pacing) async throws {
        let source = Scripted(pacing: pacing) { deliver in
            while true {
                try await deliver(Self.frame(1))
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        let supervised = SupervisedSource(camera: "gate", source: source, silentAfter: nil)
        let given = Collector()
        await #expect(throws: DiskFull.self) {
            try await supervised.run { _ in
                throw DiskFull()
            } report: {
                given.report($0)
            }
        }
        #expect(given.events == [.connected])
    }

    @Test func `raises the alarm when a camera is silent, and ends it`() async throws {
        let speaks = Guarded(false)
        let source = Scripted(pacing: .live) { deliver in
            while true {
                if speaks.withLock({ $0 }) { try await deliver(Self.frame(1)) }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        let supervised = SupervisedSource(camera: "gate", source: source, silentAfter: .milliseconds(500))
        let given = Collector()
        let task = Task {
            try await supervised.run {
                given.take($0)
            } report: {
                given.report($0)
            }
        }
        try await eventually("silent") { supervised.status.phase == .silent }
        speaks.withLock { $0 = true }
        try await eventually("heard") { supervised.status.phase == .connected }
        task.cancel()
        try await task.value
        guard given.events.count == 2, case .silent = given.events[0], case .recovered = given.events[1] else {
            Issue.record("\(given.events)")
            return
        }
    }

    @Test func `reports an error that it does not know, too`() async throws {
        let source = Scripted(pacing: .consumer) { _ in throw DiskFull() }
        let supervised = SupervisedSource(camera: "gate", source: source, silentAfter: nil)
        let given = Collector()
        let task = Task {
            try await supervised.run {
                given.take($0)
            } report: {
                given.report($0)
            }
        }
        try await eventually("reported") { !given.events.isEmpty }
        task.cancel()
        try await task.value
        #expect(supervised.status.failure?.reason.contains("DiskFull") == true)
    }
}

@Suite("A camera's address", .timeLimit(.minutes(10)))
struct CameraAddressTests {
    @Test func `shows neither login nor the query's values`() {
        let address = CameraAddress("http://admin:p%40ss@cam.local:8080/snap.cgi?usr=bob&pwd=hidden#top")
        #expect(address.description == "http://cam.local:8080/snap.cgi?…")
        #expect(address.user == "admin")
        #expect(address.password == "p@ss")
        #expect(address.url == "http://cam.local:8080/snap.cgi?usr=bob&pwd=hidden#top")
        let said = "GET http://admin:p%40ss@cam.local/?pwd=hidden as p@ss from rtsp://other:secret@host/x"
        #expect(address.secrets.redact(said) == "GET http://***@cam.local/?pwd=*** as *** from rtsp://***@host/x")
    }

    @Test func `that can't be taken apart shows nothing`() {
        let address = CameraAddress("http://admin:geheim@ho st/x", user: nil, password: nil)
        #expect(!address.description.contains("geheim"))
        #expect(!address.secrets.redact("bad address http://admin:geheim@ho st/x").contains("geheim"))
    }

    @Test func `keeps a configuration from printing a password`() {
        let kinds: [CameraConfiguration.Kind] = [
            .rtsp(url: "rtsp://a:geheim@cam/live", user: "a", password: "geheim"),
            .mjpeg(url: "http://cam/?key=geheim", user: "a", password: "geheim", verifiesTLS: true),
            .snapshots(url: "http://cam/", user: "a", password: "geheim", verifiesTLS: true, interval: .seconds(1)),
        ]
        for kind in kinds {
            let configuration = CameraConfiguration(name: "gate", kind: kind)
            var dumped = "\(configuration) \(String(reflecting: configuration)) \(kind) \(String(reflecting: kind))"
            dump(configuration, to: &dumped)
            dump(kind, to: &dumped)
            dump([kind], to: &dumped)
            #expect(!dumped.contains("geheim"))
            #expect(dumped.contains("gate"))
        }
    }

    @Test func `makes a source of every kind`() {
        let folder = CameraConfiguration(name: "gate", kind: .folder(path: "/x")).makeSource()
        let http = CameraConfiguration(
            name: "gate", kind: .mjpeg(url: "http://cam/", user: nil, password: nil, verifiesTLS: true)
        ).makeSource()
        let device = CameraConfiguration(name: "gate", kind: .v4l2(device: "/dev/video0", size: nil)).makeSource()
        #expect(folder is FolderSource && folder.pacing == .consumer)
        #expect(http is HTTPSource && http.pacing == .live)
        #expect(device is FFmpegSource && device.pacing == .live)
        #expect(ReplayInput.makeSource(path: "a.MP4", camera: "x") is FFmpegSource)
        #expect(ReplayInput.makeSource(path: "frames", camera: "x") is FolderSource)
    }
}
