import Enforcement
import Foundation
import Modem
import ParkAPI
import Storage
import TestKit
import Testing

@testable import Appliance

private let runs = ProcessInfo.processInfo.environment["CHECKPOST_MEASURE_WAYS"].flatMap { Int($0) } ?? 0

/// `CHECKPOST_MEASURE_WAYS=3 swift test --filter WaysTests` prints how long it takes from a passage at A until B knows of the violation, so many
/// times for each way: real boxes, a real server, and no distance between them.
@Suite(
    "From a passage at one post to the alert at the other", .enabled(if: runs > 0 && RealPark.isPossible),
    .serialized, .timeLimit(.minutes(30)))
struct WaysTests {
    /// In place of five minutes without a link.
    private static let wait = TimeSpan.seconds(3)

    /// What a way needs: boxes of their own for each.
    private final class Road {
        let park: RealPark
        let links: [LoopbackProxy]
        let a: RunningAppliance
        let b: RunningAppliance
        let hub: RunningAppliance?
        private let front: TLSFront?
        let ports: [Int]

        /// - Parameter isSealed: https in front of the server, for a hub: it lends nothing else.
        init(modem: ScriptedModem? = nil, isSealed: Bool = false) async throws {
            let park = try RealPark(port: FreePort.next())
            let post = "(select id from checkposts where code = 'BNP-A')"
            _ = try park.query(
                "select checkpost.put_text_key(jsonb_build_object('checkpost', \(post), 'action', 'make', 'reason', 'r', 'was', '0'))"
            )
            let front = try isSealed ? TLSFront(to: park.port) : nil
            let links = try (0..<3).map { _ in try LoopbackProxy(to: front.map { UInt16($0.port) } ?? park.port) }
            let ports = try (0..<3).map { _ in try FreePort.next() }
            func box(_ code: String, _ other: String, _ position: Int) throws -> RunningAppliance {
                let place = "http\(isSealed ? "s" : "")://127.0.0.1:\(links[position].port)"
                return try PairedBoxes.box(code, other, position % 2, server: place, port: ports[position]) {
                    ($0.key, $0.password) = (park.key, "right-and-long-enough")
                    ($0.modem, $0.sms) = (position == 0 ? modem?.path : nil, "after_minutes = \(wait.seconds / 60)")
                    $0.certificateFile = front?.certificateFile
                }
            }
            (self.park, self.links, self.front, self.ports) = (park, links, front, ports)
            (a, b) = (try box("BNP-A", "BNP-B", 0), try box("BNP-B", "BNP-A", 1))
            hub = try isSealed ? box("HQ-1", "HQ-2", 2) : nil
            try await PairedBoxes.isUp([a, b] + (hub.map { [$0] } ?? []))
            let isSigning = try await a.eventually(60) { [a] in try a.opened().textKey.read() != nil }
            #expect(isSigning, "\(a.log)")
        }

        func record(_ box: RunningAppliance, _ code: String, _ plate: String, at time: Instant) throws {
            let plate = Plate(canonical: plate)
            try box.opened().passages.record(
                Passage(
                    clientID: UUID(), plate: plate, plateRaw: plate.canonical, vehicleType: .car, checkpostCode: code,
                    recordedAt: time, clockState: .synchronised, confidence: 0.9, origin: .camera), at: time)
        }

        /// Seconds from a passage at A until B knows of its violation; the vehicle passed B half an hour before.
        func seconds(_ run: Int, _ meanwhile: () async throws -> Void = {}) async throws -> Double {
            let plate = "BA 1 PA \(1000 + run)"
            try record(b, "BNP-B", plate, at: BoxClock.now - .minutes(30))
            // So that nothing of the entry is under way any longer.
            try await Task.sleep(for: .seconds(5))
            let began = ContinuousClock.now
            try record(a, "BNP-A", plate, at: BoxClock.now)
            func isKnown() throws -> Bool {
                try b.opened().violations.list(limit: 100).contains { $0.violation.plate.canonical == plate }
            }
            while try !isKnown(), ContinuousClock.now - began < .seconds(120) {
                try await meanwhile()
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try isKnown(), "\(a.log) \(b.log)")
            return (ContinuousClock.now - began) / .seconds(1)
        }
    }

    private func tell(_ way: String, _ seconds: [Double]) {
        print("\(way): " + seconds.map { String(format: "%.2f", $0) }.joined(separator: ", ") + " s")
        #expect(seconds.count == runs)
    }

    private func measure(_ way: String, _ once: (Int) async throws -> Double) async throws {
        var seconds: [Double] = []
        for run in 0..<runs { seconds.append(try await once(run)) }
        tell(way, seconds)
    }

    @Test func `over the server`() async throws {
        let road = try await Road()
        try await measure("server") { try await road.seconds($0) }
        try await PairedBoxes.stop(road.a, road.b)
    }

    @Test func `over the direct link alone, and with the server through the other post`() async throws {
        let road = try await Road()
        try await PairedBoxes.join(road.a, to: road.b, port: road.ports[1])
        road.links[0].cut()
        try await measure("direct link, and the server through the other post") { try await road.seconds($0) }
        road.links[1].cut()
        try await measure("direct link alone") { try await road.seconds(10 + $0) }
        try await PairedBoxes.stop(road.a, road.b)
    }

    @Test func `by SMS`() async throws {
        let modem = try ScriptedModem(Dialogue(text: FallbackRig.ready + FallbackRig.accepting))
        let road = try await Road(modem: modem)
        road.links[0].cut()
        var given = 0
        try await measure("SMS, \(Self.wait.seconds) s of waiting in it") {
            try await road.seconds($0) {
                // The network, without its own time.
                guard modem.payloads.count > given else { return }
                given = modem.payloads.count
                let text = try #require(try road.a.opened().messages.list().first?.text)
                #expect(try road.park.deliver(text) == 200)
            }
        }
        try await PairedBoxes.stop(road.a, road.b)
        modem.stop()
    }

    @Test func `over a hub, and by a text that it kept`() async throws {
        let road = try await Road(isSealed: true)
        let hub = try #require(road.hub)
        try await PairedBoxes.join(road.a, to: hub, port: road.ports[2], "--hub")
        road.links[0].cut()
        try await measure("a hub's link") { try await road.seconds($0) }
        // The hub's own link comes back when it has the text.
        try await measure(
            "a text that a hub kept, whose link went as the vehicle came and was back when it had the text"
        ) {
            road.links[2].cut()
            // What is under way ends.
            try await Task.sleep(for: .seconds(1))
            var isBack = false
            let seconds = try await road.seconds(10 + $0) {
                guard !isBack, try hub.opened().keptTexts.count() > 0 else { return }
                isBack = true
                try road.links[2].restore()
            }
            return seconds
        }
        try await PairedBoxes.stop(road.a, road.b, hub)
    }
}
