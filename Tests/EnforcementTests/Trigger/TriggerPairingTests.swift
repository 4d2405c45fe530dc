import TestKit
import Testing

@testable import Enforcement

@Suite("Which vehicle an event of a trigger was", .timeLimit(.minutes(2)))
struct TriggerPairingTests {
    private let start = Instant(milliseconds: 1_795_255_200_000)

    private func at(_ seconds: Double) -> Instant { start + .seconds(seconds) }

    private func vehicle(_ id: String, _ seconds: Double, window: Double = 5) -> TriggerPairing.Vehicle {
        .init(id: id, seenAt: at(seconds), from: at(seconds - window), until: at(seconds + window))
    }

    private func pairs(_ events: [Double], _ vehicles: [TriggerPairing.Vehicle]) -> [String] {
        TriggerPairing.pairs(events.map(at), vehicles).map { "\($0.event)\($0.vehicle)" }
    }

    @Test func `is the one within the window`() {
        #expect(pairs([0], [vehicle("a", 5)]) == ["0a"])
        #expect(pairs([0], [vehicle("a", 5.001)]) == [])
        #expect(pairs([], [vehicle("a", 0)]) == [] && pairs([0], []) == [])
    }

    @Test func `is the nearest one when there are fewer plates than vehicles`() {
        #expect(pairs([0, 4], [vehicle("a", 3)]) == ["1a"], "the first had no plate")
        #expect(pairs([0, 4, 8], [vehicle("a", 0.5), vehicle("b", 7)]) == ["0a", "2b"])
    }

    @Test func `leaves none alone that could have one, and crosses none`() {
        #expect(
            pairs([3, 5], [vehicle("a", 0), vehicle("b", 2)]) == ["0a", "1b"],
            "the camera sees them 3 s before the loop")
        #expect(pairs([0, 4], [vehicle("b", 4.5), vehicle("a", 3)]) == ["0a", "1b"])
    }

    @Test func `is one that stands at the barrier meanwhile`() {
        let waiting = TriggerPairing.Vehicle(id: "a", seenAt: at(0), from: at(-5), until: at(600))
        #expect(pairs([590], [waiting]) == ["0a"])
    }

    @Test func `pairs each event and each vehicle once, whatever comes`() {
        let seed = Seed.drawn()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let events = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                Double.random(in: 0...60, using: &random)
            }
            .sorted()
            let vehicles = (0..<Int.random(in: 0...30, using: &random)).map {
                vehicle("\($0)", Double.random(in: 0...60, using: &random), window: 3)
            }
            let found = TriggerPairing.pairs(events.map(at), vehicles)
            #expect(Set(found.map(\.event)).count == found.count && Set(found.map(\.vehicle)).count == found.count)
            for pair in found {
                let vehicle = vehicles.first { $0.id == pair.vehicle }
                #expect((at(events[pair.event]) - (vehicle?.seenAt ?? start)).magnitude <= .seconds(3), "seed \(seed)")
            }
            // Whoever is alone has nobody alone beside it.
            for (index, event) in events.enumerated() where !found.contains(where: { $0.event == index }) {
                let free = vehicles.filter { vehicle in !found.contains { $0.vehicle == vehicle.id } }
                #expect(free.allSatisfy { (at(event) - $0.seenAt).magnitude > .seconds(3) }, "seed \(seed)")
            }
        }
    }

    @Test func `opens the gate for the frames around it`() throws {
        var look = TriggerLook()
        #expect(!look.covers(start))
        look.add(start)
        #expect(look.covers(at(-3)) && look.covers(at(6)) && !look.covers(at(-3.1)) && !look.covers(at(6.1)))
        for second in 1...100 { look.add(at(Double(second) * 60)) }
        #expect(look.events.count == TriggerLook.most && !look.covers(start) && look.covers(at(6000)))
        var gate = StillnessGate()
        let picture = try #require(GrayThumbnail(width: 16, height: 12, pixels: [UInt8](repeating: 9, count: 192)))
        #expect(gate.verdict(picture, at: at(0)) == .look(.unknown))
        #expect(gate.verdict(picture, at: at(1)) == .skip)
        #expect(gate.verdict(picture, at: at(2), isAwaited: true) == .look(.awaited))
        #expect(gate.verdict(picture, at: at(3)) == .skip, "what was awaited is no change that would be watched")
    }
}
