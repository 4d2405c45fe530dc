import Testing

@testable import Enforcement

@Suite("A sighting that a clock cuts in two", .timeLimit(.minutes(2)))
struct CutSightingTests {
    /// A vehicle that comes by again and again, and a clock that is set while it does: it is no sign that never moves.
    @Test func `records a vehicle each time, also where a step of the clock cuts what was seen of it`() {
        var run = TrackerRun()
        let places = [(409, 318, 124, 90), (411, 310, 115, 83), (417, 289, 100, 72)].map {
            Box(x: $0.0, y: $0.1, width: $0.2, height: $0.3)
        }
        for pass in 0..<10 {
            let began = Double(pass) * 30
            for (index, box) in places.enumerated() {
                // The camera's clock is a day ahead from the third frame on, and right again before the next vehicle.
                let stamped = began + Double(index) * 0.4 + (index == 2 ? 86_400 : 0)
                run.take(
                    .frame(TrackerRun.reference(stamped), readings: [reading("KAE3074", 0.9, box: box)]),
                    began + Double(index) * 0.4)
            }
            run.frame(began + 5)
        }
        run.end(400)
        let times = Set(run.recorded.map { Int($0.firstSeenAt.milliseconds / 1000) % 86_400 / 30 })
        #expect(times == Set(0..<10), "\(times.sorted())")
    }
}
