import Foundation
import TestKit
import Testing

@testable import Appliance

/// The socket on which systemd hears a service.
private final class NotifySocket {
    let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
        self.path = path
        descriptor = try UnixSocket.bound(to: path, SOCK_DGRAM)
    }

    deinit { close(descriptor) }

    /// What came since the last call.
    func heard() -> [String] {
        var messages: [String] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return messages }
            messages.append(String(decoding: bytes[..<count], as: UTF8.self))
        }
    }
}

@Suite("What systemd hears of a box", .serialized, .timeLimit(.minutes(10)))
struct ReadinessTests {
    /// Collects what is heard until a message is among it, or time is up.
    private func hear(_ socket: NotifySocket, until wanted: String, _ box: RunningAppliance) async throws -> [String] {
        var heard: [String] = []
        _ = try await box.eventually(60) {
            heard += socket.heard()
            return heard.contains(wanted)
        }
        return heard
    }

    @Test func `it is ready when its camera, its models and its database are, and says what it records`() async throws {
        let box = try RunningAppliance()
        let socket = try NotifySocket(box.folder["notify"].path)
        try box.start(environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "4000000"])
        let heard = try await hear(socket, until: "STATUS=Recording: gate.", box)
        #expect(heard.contains("READY=1"), "\(heard)\(box.log)")
        let alive = try await hear(socket, until: "WATCHDOG=1", box)
        #expect(heard.contains("WATCHDOG=1") || alive.contains("WATCHDOG=1"))
        #expect(try await box.stop().status == 0)
        #expect(socket.heard().contains("STOPPING=1"))
    }

    @Test func `it is not ready while its models are missing, and is as soon as they are there`() async throws {
        let box = try RunningAppliance()
        let models = box.folder["models"]
        let text = try String(contentsOf: box.configuration, encoding: .utf8)
        let usual = Checkout.root.appendingPathComponent("models").path
        try text.replacingOccurrences(of: usual, with: models.path).write(
            to: box.configuration, atomically: true, encoding: .utf8)
        let socket = try NotifySocket(box.folder["notify"].path)
        try box.start(environment: ["NOTIFY_SOCKET": socket.path])
        #expect(try await box.isRecording(), "its part is up, and waits: \(box.log)")
        let before = socket.heard()
        #expect(!before.contains("READY=1"), "\(before)")
        #expect(before.contains { $0.hasPrefix("STATUS=Not recording: gate") }, "\(before)")
        try FileManager.default.createSymbolicLink(atPath: models.path, withDestinationPath: usual)
        let heard = try await hear(socket, until: "STATUS=Recording: gate.", box)
        #expect(heard.contains("READY=1"), "\(heard)")
        #expect(try await box.stop().status == 0)
    }
}
