import Testing

@testable import Enforcement

@Suite("A vehicle that left, and what can't be read near its place", .timeLimit(.minutes(2)))
struct LeftSightingTests {
    private static let place = Box(x: 416, y: 289, width: 99, height: 72)

    private static func passes(_ run: inout TrackerRun, from began: Double) {
        for frame in 0..<4 { run.frame(began + Double(frame) * 0.4, reading("KAE3074", 0.9, box: place)) }
    }

    /// The board of a truck right behind, which can't be read, as wide as the plate or wider: nothing says that it is the vehicle that has
    /// just left.
    @Test(arguments: [120, 317])
    func `doesn't keep it there: it is recorded when it comes again`(width: Int) {
        var run = TrackerRun()
        Self.passes(&run, from: 0)
        let board = PlateReading.unread(
            at: Box(x: 450 - width / 2, y: 170, width: width, height: 60), look: .init(score: 0.9, isPlate: true))
        for frame in 0..<14 { run.frame(2.5 + Double(frame) * 0.5, board) }
        Self.passes(&run, from: 26)
        run.end(60)
        #expect(run.plates == ["KAE3074", "KAE3074"])
    }

    /// One that stands where it was read is there, though nobody can read it for a while.
    @Test func `keeps it where it was read`() {
        var run = TrackerRun()
        Self.passes(&run, from: 0)
        for frame in 0..<60 {
            run.frame(
                1.6 + Double(frame) * 0.5, .unread(at: Self.place, look: .init(score: 0.9, isPlate: true)))
        }
        Self.passes(&run, from: 32)
        run.end(60)
        #expect(run.plates == ["KAE3074"])
    }
}
