import Foundation
import TestKit
import Testing

@testable import Enforcement

private let left = Box(x: 100, y: 100, width: 120, height: 40)
private let right = Box(x: 700, y: 110, width: 120, height: 40)

@Suite("A sighting tracker", .timeLimit(.minutes(5)))
struct SightingTrackerTests {
    @Test func `records a vehicle once`() {
        var run = TrackerRun()
        for t in 0..<10 { run.frame(Double(t) / 5, reading("UP1PA1234")) }
        run.end(3)
        #expect(run.plates == ["UP1PA1234"])
        #expect(run.reviewed.isEmpty)
    }

    @Test(arguments: [true, false])
    func `keeps a vehicle that stands for ten minutes one sighting`(isStill: Bool) {
        var run = TrackerRun()
        for t in 0..<3 { run.frame(Double(t), reading("UP1PA1234")) }
        for t in 3..<600 { if isStill { run.still(Double(t)) } else { run.frame(Double(t), reading("UP1PA1234")) } }
        run.frame(600, reading("UP1PA1234"))
        run.end(601)
        #expect(run.plates == ["UP1PA1234"])
        #expect(run.recorded.first?.number == 1)
    }

    @Test func `keeps a vehicle that is hidden for some frames`() {
        var run = TrackerRun()
        run.frame(0, reading("UP1PA1234", 0.7))
        for t in 1..<10 { run.frame(Double(t)) }
        run.frame(10, reading("UP1PA1234"))
        run.frame(11, reading("UP1PA1234"))
        run.end(60)
        #expect(run.plates.count == 1)
    }

    @Test func `keeps a vehicle that is read differently from frame to frame`() {
        var run = TrackerRun()
        for (t, text) in ["UP1PA1234", "VP1PA1234", "UP1PA1Z34", "UP1FA1234", "UP1PA123", "UP1PA1234"].enumerated() {
            run.frame(Double(t) / 4, reading(text, 0.7))
        }
        run.end(2)
        #expect((run.recorded + run.reviewed).map(\.reading.plate.compact) == ["UP1PA1234"])
    }

    @Test func `tells two vehicles side by side apart, alike as their plates are`() {
        var run = TrackerRun()
        for t in 0..<5 {
            run.frame(Double(t) / 5, reading("UP1PA1234", box: left), reading("UP1PA1235", box: right))
        }
        run.frame(1.2, reading("UP1PA1235", box: right))
        run.end(2)
        #expect(Set(run.plates) == ["UP1PA1234", "UP1PA1235"])
        #expect(run.plates.count == 2)
    }

    @Test func `makes two vehicles in sequence in one place two`() {
        var run = TrackerRun()
        for t in 0..<4 { run.frame(Double(t) / 5, reading("UP1PA1234")) }
        for t in 8..<12 { run.frame(Double(t) / 5, reading("UP1PA6688")) }
        run.end(4)
        #expect(run.plates == ["UP1PA1234", "UP1PA6688"])
    }

    @Test func `does not lose a second vehicle whose first reading was poor`() {
        var run = TrackerRun()
        for t in 0..<4 { run.frame(Double(t) / 5, reading("UP1PA1234")) }
        run.frame(1, reading("UP1PA7688", 0.4))
        for t in 6..<10 { run.frame(Double(t) / 5, reading("UP1PA7688")) }
        run.end(4)
        #expect(run.plates == ["UP1PA1234", "UP1PA7688"])
    }

    @Test func `makes a vehicle that comes back after minutes a new one`() {
        var run = TrackerRun()
        for t in 0..<4 { run.frame(Double(t), reading("UP1PA1234")) }
        run.frame(5)
        run.tick(60)
        for t in 300..<304 { run.frame(Double(t), reading("UP1PA1234")) }
        run.end(310)
        #expect(run.plates == ["UP1PA1234", "UP1PA1234"])
        #expect(run.recorded.map(\.number) == [1, 2])
    }

    @Test func `takes the same number on a truck's plate and side for one vehicle`() {
        var run = TrackerRun()
        for t in 0..<4 { run.frame(Double(t), reading("MH2KA7777", box: left), reading("MH2KA7777", box: right)) }
        run.end(5)
        #expect(run.plates.count == 1)
    }

    @Test func `takes frames out of order`() {
        var run = TrackerRun()
        for t in [3.0, 1, 2, 0, 4] { run.frame(t, reading("UP1PA1234")) }
        run.end(5)
        #expect(run.plates.count == 1)
        #expect(run.recorded.first?.firstSeenAt == Instant(seconds: 1))
    }

    @Test func `takes frames that all have the same time`() {
        var run = TrackerRun()
        for _ in 0..<3 { run.frame(7, reading("UP1PA1234")) }
        for _ in 0..<700 { run.frame(7) }
        for _ in 0..<3 { run.frame(7, reading("UP1PA1234")) }
        run.end(7)
        #expect(run.plates.count == 2)
    }

    @Test func `does not keep a sighting for good when the camera's clock stands still`() {
        var run = TrackerRun()
        for t in 0..<3 { run.frame(Double(t), reading("UP1PA1234"), stamp: 0) }
        for t in 600..<603 { run.frame(Double(t), reading("UP1PA1234"), stamp: 0) }
        run.end(610)
        #expect(run.plates.count == 2)
    }

    @Test func `ends its sightings when the clock steps back`() {
        var run = TrackerRun()
        for t in 0..<3 { run.frame(100_000 + Double(t), reading("UP1PA1234")) }
        run.frame(50)
        #expect(!run.tracker.hasOpenSightings)
        for t in 51..<54 { run.frame(Double(t), reading("UP1PA6688")) }
        run.tick(-1e12)
        #expect(!run.tracker.hasOpenSightings)
        #expect(run.plates == ["UP1PA1234", "UP1PA6688"])
    }

    @Test(arguments: [Int64.min, -1, 0, 253_402_300_799_000, .max])
    func `survives absurd times`(milliseconds: Int64) {
        var tracker = SightingTracker(camera: "gate")
        for time in [milliseconds, 0, milliseconds] {
            let frame = FrameReference(
                sha256: "a", camera: "gate", recordedAt: Instant(milliseconds: time), clockState: .untrusted)
            for now in [time, 0] {
                _ = tracker.handle(
                    .frame(frame, readings: [reading("UP1PA1234")]), at: Instant(milliseconds: now))
                _ = tracker.handle(.still, at: Instant(milliseconds: now))
                _ = tracker.handle(.tick, at: Instant(milliseconds: time))
            }
        }
        _ = tracker.handle(.end, at: Instant(milliseconds: milliseconds))
        #expect(!tracker.hasOpenSightings)
    }

    @Test func `shows a doubtful vehicle once, and records it when it becomes sure`() {
        var run = TrackerRun()
        for t in 0..<8 { run.frame(Double(t), reading(t % 2 == 0 ? "UP1PA1234" : "UP1PA1284", 0.45)) }
        #expect(run.reviewed.count == 1)
        for t in 8..<12 { run.frame(Double(t), reading("UP1PA1234", 0.97)) }
        run.end(13)
        #expect(run.plates == ["UP1PA1234"])
        #expect(run.recorded.first?.number == run.reviewed.first?.number)
    }

    @Test func `shows a shop sign once a day at most, read always or now and then`() {
        for every in [2.0, 7, 25, 60, 600] {
            var run = TrackerRun()
            for t in stride(from: 0.0, to: 36_000, by: every) {
                run.frame(t, reading("CAFE2000", 0.5))
                run.frame(t + 0.4)
            }
            run.end(36_001)
            #expect(run.reviewed.count == 1, "read every \(every) s")
            #expect(run.recorded.isEmpty)
        }
    }

    /// A camera that takes one picture of each, all at the same place, as a barrier makes them stop.
    @Test(arguments: [0.92, 0.6]) func `takes no two vehicles of one district for one sign`(confidence: Double) {
        var run = TrackerRun()
        let plates = (0..<12).map { "UP32AB12\(10 + $0)" }
        for (index, plate) in plates.enumerated() { run.frame(Double(index) * 300, reading(plate, confidence)) }
        run.end(3600 + 300)
        #expect(run.plates + run.reviewed.map(\.reading.plate.compact) == plates)
    }

    @Test func `stops recording a sign that is read surely`() {
        var run = TrackerRun()
        for t in stride(from: 0.0, to: 36_000, by: 30) {
            for step in 0..<3 { run.frame(t + Double(step) / 5, reading("CAFE2000", 0.95)) }
            run.frame(t + 5)
        }
        #expect(run.recorded.count == FixtureMemory.sightingsToIgnore)
    }

    @Test func `lets no frame go that another vehicle or a passage needs`() {
        var run = TrackerRun()
        run.frame(0, reading("UP1PA1234", 0.7, box: left), reading("DL2CA8888", 0.9, box: right))
        for t in 1..<5 {
            run.frame(Double(t), reading("UP1PA1234", 0.9, box: left), reading("DL2CA8888", 0.8, box: right))
        }
        run.end(60)
        for sighting in run.recorded { #expect(run.kept.contains(sighting.bestFrame)) }
        #expect(run.recorded.count == 2)
        #expect(run.kept == Set(run.recorded.map(\.bestFrame)))
    }

    @Test func `behaves the same when its state is stored and read again after every frame`() throws {
        for seed in 1...8 {
            var random = SeededGenerator(seed: UInt64(seed))
            var straight = TrackerRun()
            var stored = TrackerRun()
            var t = 0.0
            for _ in 0..<150 {
                t += [0.2, 0.2, 1, 4, 30, -3][Int.random(in: 0..<6, using: &random)]
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    straight.still(t)
                    stored.still(t)
                case 1:
                    straight.tick(t)
                    stored.tick(t)
                default:
                    let readings = (0..<Int.random(in: 0...2, using: &random)).map { index in
                        let plate =
                            ["UP1PA1234", "DL2CA8888", "B7QX123", "UP1PA1284"].randomElement(using: &random) ?? ""
                        return reading(
                            plate, Double.random(in: 0.3...1, using: &random), box: index == 0 ? left : right)
                    }
                    let frame = TrackerRun.reference(t)
                    straight.take(.frame(frame, readings: readings), t)
                    stored.take(.frame(frame, readings: readings), t)
                }
                let state = try JSONEncoder().encode(stored.tracker.state)
                stored.tracker = SightingTracker(
                    camera: "gate", state: try JSONDecoder().decode(SightingTracker.State.self, from: state))
                #expect(straight.tracker == stored.tracker)
            }
            #expect(straight.actions == stored.actions, "seed \(seed)")
        }
    }

    /// The state of a version that stored its settings with it is read as well; what it says of them is left out.
    @Test func `keeps no setting in its state`() throws {
        var run = TrackerRun(SightingTracker(camera: "gate", country: "np"))
        run.frame(0, reading("UP1PA1234"))
        let text = String(decoding: try JSONEncoder().encode(run.tracker.state), as: UTF8.self)
        #expect(!text.contains("country") && !text.contains("absence") && !text.contains("recording\""))
        let old = text.dropLast() + #","country":"np","camera":"gate","settings":{"readingsToDecide":9}}"#
        let state = try JSONDecoder().decode(SightingTracker.State.self, from: Data(old.utf8))
        #expect(state == run.tracker.state)
        #expect(SightingTracker(camera: "gate", country: "in", state: state).settings == .init())
    }

    @Test func `closes the vehicle unseen for longest when one too many is there`() {
        var random = SeededGenerator(seed: 5)
        var run = TrackerRun()
        let plates = (0..<25).map { _ in
            String((0..<9).map { _ in "ABCDEFGHJKLMNPRSTUVWXY123456789".randomElement(using: &random) ?? "A" })
        }
        for (step, plate) in plates.enumerated() {
            let box = Box(x: step % 5 * 700, y: step / 5 * 300, width: 120, height: 40)
            run.frame(Double(step) / 10, reading(plate, 0.5, box: box))
            #expect(run.reviewed.map(\.reading.plate.compact) == (step < 24 ? [] : [plates[0]]))
        }
        #expect(run.tracker.keptFrames.count == 24)
    }

    @Test func `holds a bounded memory, whatever is read`() throws {
        var random = SeededGenerator(seed: 3)
        var run = TrackerRun()
        var largest = 0
        for t in 0..<60 {
            let readings = (0..<40).map { _ in
                let text = String((0..<9).map { _ in "ABCDEFGH0123456789".randomElement(using: &random) ?? "A" })
                let x = Int.random(in: 0...1800, using: &random)
                return reading(text, 0.5, box: Box(x: x, y: 0, width: 90, height: 30))
            }
            run.take(.frame(TrackerRun.reference(Double(t)), readings: readings), Double(t))
            guard t % 6 == 5 else { continue }
            largest = max(largest, try JSONEncoder().encode(run.tracker.state).count)
        }
        #expect(largest < 1_000_000)
    }

    @Test func `ends what six hundred frames in a row don't show, though the clocks stand still`() {
        var run = TrackerRun()
        run.frame(0, reading("BA1CHA1234"))
        let before = run.recorded.count + run.reviewed.count
        for _ in 0...600 { run.frame(0) }
        #expect(run.recorded.count + run.reviewed.count == before)
        run.frame(0)
        #expect(run.recorded.count + run.reviewed.count == before + 1)
    }
}
