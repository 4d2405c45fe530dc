import Foundation
import Testing

@testable import Enforcement

@Suite("Writing that stands in the picture", .timeLimit(.minutes(5)))
struct StandingTextTests {
    private static let corner = Box(x: 20, y: 16, width: 200, height: 24)

    /// A clock's text at a second: fits a format as "ITO706" does.
    private func clock(_ second: Int, confidence: Double = 0.84, onPlate: Bool = false) -> PlateReading {
        var reading = reading("ITO\(7000 + second)", confidence, box: Self.corner)
        reading.look = .init(score: onPlate ? 0.9 : 0.3, isPlate: onPlate)
        return reading
    }

    private func run(seconds: Int, every step: Double = 1, _ other: (Double) -> [PlateReading] = { _ in [] })
        -> TrackerRun
    {
        var run = TrackerRun()
        for index in 0..<Int(Double(seconds) / step) {
            let t = Double(index) * step
            run.take(.frame(TrackerRun.reference(t), readings: [clock(Int(t))] + other(t)), t)
        }
        run.end(Double(seconds) + 60)
        return run
    }

    @Test func `a clock is no vehicle, and is shown to nobody`() {
        let run = run(seconds: 3600)
        #expect(run.recorded.isEmpty)
        #expect(run.reviewed.isEmpty)
    }

    @Test func `a sign that says the same all day is shown to nobody`() {
        var run = TrackerRun()
        for t in 0..<3600 {
            var sign = reading("2O231121", 0.3, box: Self.corner)
            sign.look = .init(score: 0.4, isPlate: false)
            run.frame(Double(t), sign)
        }
        run.end(3601)
        #expect(run.recorded.isEmpty && run.reviewed.isEmpty)
    }

    @Test func `a clock of a camera that takes a picture now and then is no vehicle either`() {
        let run = run(seconds: 24 * 3600, every: 97)
        #expect(run.recorded.isEmpty)
        #expect(run.reviewed.count <= 4)
    }

    @Test func `vehicles are recorded beside a clock`() {
        let plates = (0..<30).map { "BA\($0 + 2)PA\(2011 + 37 * $0)" }
        let run = run(seconds: 1800) { t in
            let (index, second) = Int(t).quotientAndRemainder(dividingBy: 60)
            guard second < 6 else { return [] }
            var plate = reading(
                plates[index], 0.95, box: Box(x: 300 + 12 * second, y: 300 + 9 * second, width: 120, height: 40))
            plate.look = .init(score: 0.9, isPlate: true)
            return [plate]
        }
        #expect(Set(run.plates) == Set(plates.compactMap { PlateNormalizer.normalize($0)?.compact }))
    }

    @Test func `a clock that the network sometimes takes for a plate is no vehicle`() {
        var run = TrackerRun()
        for t in 0..<3600 {
            run.take(.frame(TrackerRun.reference(Double(t)), readings: [clock(t, onPlate: t % 3 == 0)]), Double(t))
        }
        run.end(3700)
        #expect(run.recorded.isEmpty)
        #expect(run.reviewed.count <= 1)
    }

    @Test func `a clock that always looks like a plate is learned within minutes`() {
        var run = TrackerRun()
        for t in 0..<(4 * 3600) {
            run.take(.frame(TrackerRun.reference(Double(t)), readings: [clock(t, onPlate: true)]), Double(t))
        }
        run.end(4 * 3600 + 100)
        #expect(
            run.actions.contains {
                if case .record(let sighting) = $0 { sighting.lastSeenAt > Instant(seconds: 300) } else { false }
            } == false)
    }

    @Test func `the next vehicle that stops where a parked one stood is recorded`() {
        var run = TrackerRun()
        func plate(_ text: String) -> PlateReading {
            var plate = reading(text, 0.95)
            plate.look = .init(score: 0.9, isPlate: true)
            return plate
        }
        // Read differently now and then, for half an hour.
        for t in 0..<1800 { run.frame(Double(t), plate(t % 9 == 0 ? "BA1PA2845" : "BA1PA2345")) }
        for t in 1830..<1840 { run.frame(Double(t), plate("GA7KHA4411")) }
        run.end(1900)
        #expect(run.plates.contains(PlateNormalizer.normalize("GA7KHA4411")?.compact ?? ""))
    }

    @Test func `what was learned outlives a restart`() throws {
        var first = TrackerRun()
        for t in 0..<30 { first.take(.frame(TrackerRun.reference(Double(t)), readings: [clock(t)]), Double(t)) }
        let state = try JSONDecoder().decode(
            SightingTracker.State.self, from: JSONEncoder().encode(first.tracker.state))
        var second = TrackerRun(SightingTracker(camera: "gate", state: state))
        for t in 3600..<3700 { second.take(.frame(TrackerRun.reference(Double(t)), readings: [clock(t)]), Double(t)) }
        second.end(4000)
        #expect(second.recorded.isEmpty && second.reviewed.isEmpty)
    }

    @Test func `a state that knew no such places is taken over`() throws {
        var fields = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(SightingTracker.State(firstNumber: 9)))
                as? [String: Any])
        fields["standing"] = nil
        let state = try JSONDecoder().decode(
            SightingTracker.State.self, from: JSONSerialization.data(withJSONObject: fields))
        var run = TrackerRun(SightingTracker(camera: "gate", state: state))
        run.frame(0, reading("BA1PA2345", 0.95))
        run.end(60)
        #expect(run.plates == ["BA1PA2345"])
    }

    @Test func `a vehicle without a plate's look goes to the ranger, however often it is read differently`() {
        var run = TrackerRun()
        let misread = ["BA1PA2345", "BA1PA2845", "8A1PA2345", "BA1PA2346"]
        for index in 0..<250 {
            let t = Double(index) / 10
            var reading = reading(misread[index % 4], 0.9)
            reading.look = .init(score: 0, isPlate: false)
            run.frame(t, reading)
        }
        run.end(60)
        #expect(run.recorded.isEmpty)
        #expect(run.reviewed.count == 1)
    }

    @Test func `what is hardly a plate by its place and by its text is shown to nobody`() {
        for (confidence, reviews) in [(0.09, 0), (0.11, 1)] {
            var run = TrackerRun()
            var plate = reading("BA2PA2345", confidence)
            plate.look = .init(score: 0.3, isPlate: false)
            run.frame(0, plate)
            run.end(60)
            #expect(run.recorded.isEmpty && run.reviewed.count == reviews)
        }
    }

    @Test func `vehicles that stop one after the other in about one place are no writing`() {
        var run = TrackerRun()
        for index in 0..<300 {
            let t = Double(index) * 60
            let box = Box(
                x: 270 + index * 37 % 61, y: 280 + index * 53 % 41, width: 120, height: 40)
            var plate = reading("BA\(index % 90 + 1)PA\(1000 + 29 * index)", 0.95, box: box)
            plate.look = .init(score: 0.9, isPlate: true)
            run.frame(t, plate)
        }
        run.end(300 * 60 + 60)
        #expect(run.recorded.count == 300)
    }

    @Test(arguments: [(false, 0), (true, 1)])
    func `only what stands on a plate is recorded by itself`(isPlate: Bool, recorded: Int) {
        var run = TrackerRun()
        var plate = reading("BA1PA2345", 0.95)
        plate.look = .init(score: isPlate ? 0.6 : 0.59, isPlate: isPlate)
        run.frame(0, plate)
        run.end(60)
        #expect(run.recorded.count == recorded)
        #expect(run.reviewed.count == 1 - recorded)
    }
}
