import Foundation
import PeerLink
import Storage
import TestKit
import Testing

@testable import Appliance

/// Real boxes with a direct link between them.
enum PairedBoxes {
    static func box(
        _ code: String, _ other: String, _ position: Int, server: String, port: Int,
        _ change: (inout RunningAppliance.Outside) -> Void
    ) throws -> RunningAppliance {
        var outside = RunningAppliance.Outside()
        outside.post = PostFile.text(of: code, other: other, position: position)
        outside.server = server
        outside.email = "\(code.lowercased())@bnp.local"
        outside.more =
            "[sync]\ninterval_seconds = 2\nlongest_backoff_seconds = 5\n[peer]\naddress = \"127.0.0.1\"\nport = \(port)\n"
        change(&outside)
        return try RunningAppliance(outside: outside)
    }

    static func join(
        _ box: RunningAppliance, to other: RunningAppliance, port: Int, _ more: String...
    ) async throws {
        let isHub = more.contains("--hub")
        let shown = try await Program.run(
            ["peer", "pair", "--config", other.configuration.path] + (isHub ? ["--guest"] : []))
        let code = shown.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(shown.errors.contains("\(code) --hub") == isHub, "\(shown.errors)")
        let joined = try await Program.run(
            ["peer", "join", "127.0.0.1:\(port)", code, "--config", box.configuration.path] + more)
        #expect(joined.status == 0, "\(joined.errors)")
    }

    static func isUp(_ boxes: [RunningAppliance]) async throws {
        for box in boxes { try box.start() }
        for box in boxes { #expect(try await box.isRecording(), "\(box.log)") }
        for box in boxes { #expect(try await box.eventually { box.part("peer")?.state == "up" }) }
    }

    /// Box A, which can't reach the server, and box B, which can, paired.
    static func paired(
        _ urls: (a: String, b: String), _ change: (inout RunningAppliance.Outside) -> Void = { _ in }
    ) async throws -> (a: RunningAppliance, b: RunningAppliance) {
        let ports = try (FreePort.next(), FreePort.next())
        let a = try box("BNP-A", "BNP-B", 0, server: urls.a, port: ports.0, change)
        let b = try box("BNP-B", "BNP-A", 1, server: urls.b, port: ports.1, change)
        try await isUp([a, b])
        try await join(a, to: b, port: ports.1)
        return (a, b)
    }

    static func stop(_ boxes: RunningAppliance...) async throws {
        for box in boxes {
            let stopped = try await box.stop()
            #expect(stopped.left == [] && stopped.seconds < 15, "\(stopped)")
        }
    }
}
