import Foundation
import Testing

@testable import Enforcement

@Suite("A plate that was seen and not read", .timeLimit(.minutes(5)))
struct UnreadPlateTests {
    /// Where a vehicle that comes nearer has its plate in a frame.
    private static func box(_ frame: Int) -> Box {
        Box(x: 300 + 25 * frame, y: 200 + 20 * frame, width: 60 + 10 * frame, height: 20 + 3 * frame)
    }

    private static func unread(_ frame: Int) -> PlateReading {
        .unread(at: box(frame), look: .init(score: 0.9, isPlate: true))
    }

    /// A vehicle that comes nearer in so many frames a fifth of a second apart, read in those that `text` names.
    private func run(
        frames: Int, moves: Bool = true, text: (Int) -> String? = { _ in nil },
        beside: (Int) -> PlateReading? = { _ in nil }
    ) -> TrackerRun {
        var run = TrackerRun()
        for frame in 0..<frames {
            let place = moves ? frame : 0
            let seen = text(frame).map { reading($0, 0.95, box: Self.box(place)) } ?? Self.unread(place)
            run.take(
                .frame(
                    TrackerRun.reference(Double(frame) / 5), readings: [seen] + [beside(frame)].compactMap(\.self)),
                Double(frame) / 5)
        }
        run.end(60)
        return run
    }

    @Test func `goes to a ranger once, with the frame that shows it largest`() throws {
        let run = run(frames: 6)
        #expect(run.recorded.isEmpty)
        let shown = try #require(run.reviewed.first)
        #expect(run.reviewed.count == 1)
        #expect(shown.reading.isUnread && shown.frameCount == 6)
        #expect(shown.reading.box == Self.box(5))
        #expect(shown.bestFrame.recordedAt == Instant(seconds: 1))
        #expect(run.kept == [shown.bestFrame])
    }

    @Test(arguments: [0, 2, 5])
    func `is a vehicle like others when one frame was read`(readFrame: Int) throws {
        let run = run(frames: 6) { $0 == readFrame ? "GA7KHA4422" : nil }
        #expect(run.recorded.count + run.reviewed.count == 1)
        #expect((run.recorded + run.reviewed).first?.reading.isUnread == false)
    }

    @Test func `is nothing in fewer than three frames, or when it never moved`() {
        #expect(run(frames: 2).reviewed.isEmpty && run(frames: 3).reviewed.count == 1)
        #expect(run(frames: 100, moves: false).reviewed.isEmpty)
        #expect(run(frames: 2).kept.isEmpty && run(frames: 100, moves: false).kept.isEmpty)
    }

    @Test func `is a part of the vehicle whose plate is read beside it`() {
        let run = run(frames: 6) { _ in
            nil
        } beside: { frame in
            reading("GA7KHA4422", 0.95, box: Box(x: 900, y: 200 + 20 * frame, width: 120, height: 40))
        }
        #expect(run.plates == ["GA7KHA4422"])
        #expect(run.reviewed.isEmpty)
    }

    @Test func `is another vehicle where it stands farther aside than a vehicle is wide`() throws {
        let run = run(frames: 6) { _ in
            nil
        } beside: { frame in
            reading("GA7KHA4422", 0.95, box: Box(x: 1100, y: 200 + 20 * frame, width: 100, height: 40))
        }
        #expect(run.plates == ["GA7KHA4422"])
        #expect(try #require(run.reviewed.first).reading.isUnread && run.reviewed.count == 1)
    }

    @Test func `is another vehicle though the two, coming nearer, seem to close up`() throws {
        // Six plate widths apart at first, two in the end.
        let run = run(frames: 8) { _ in
            nil
        } beside: { frame in
            reading("GA7KHA4422", 0.95, box: Box(x: 850, y: 200 + 20 * frame, width: 80 + 20 * frame, height: 40))
        }
        #expect(run.plates == ["GA7KHA4422"])
        #expect(run.reviewed.count == 1 && run.reviewed.first?.reading.isUnread == true)
    }

    @Test func `keeps its vehicle in sight between two readings`() {
        let run = run(frames: 60) { $0 % 20 == 0 ? "GA7KHA4422" : nil }
        #expect(run.recorded.count == 1 && run.reviewed.isEmpty)
    }

    @Test func `outlives a restart, and is unknown to older states`() throws {
        var first = TrackerRun()
        for frame in 0..<3 { first.frame(Double(frame) / 5, Self.unread(frame)) }
        let data = try JSONEncoder().encode(first.tracker.state)
        let state = try JSONDecoder().decode(SightingTracker.State.self, from: data)
        #expect(state == first.tracker.state)
        var second = TrackerRun(SightingTracker(camera: "gate", state: state))
        second.frame(0.6, Self.unread(3))
        second.end(60)
        #expect(second.reviewed.count == 1)
    }
}
