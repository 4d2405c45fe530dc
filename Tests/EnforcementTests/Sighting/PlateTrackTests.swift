import Foundation
import TestKit
import Testing

@testable import Enforcement

@Suite("Which way a vehicle goes", .timeLimit(.minutes(5)))
struct PlateTrackTests {
    private func second(_ number: Int) -> Instant { Instant(milliseconds: Int64(number) * 1000) }

    /// - Parameter seconds: when each was taken; one after the other where nothing is said.
    private func course(_ sizes: [(Int, Int)], _ plates: [String] = [], at seconds: [Int]? = nil) -> Course? {
        var track: PlateTrack?
        for (index, size) in sizes.enumerated() {
            let box = Box(x: 100, y: 100, width: size.0, height: size.1)
            let next = reading(index < plates.count ? plates[index] : "BA1PA1234", box: box)
            let time = second(seconds?[index] ?? index)
            if track == nil { track = PlateTrack(next, at: time) } else { track?.add(next, at: time) }
        }
        return track?.course
    }

    /// Sizes that the reader found in drawn pictures of vehicles that came up to a barrier or rode away from it.
    @Test func `is told by a plate that grows or shrinks`() {
        let approaching = [(110, 32), (121, 35), (128, 36), (140, 42)]
        #expect(course(approaching) == .approaching)
        #expect(course(approaching.reversed()) == .receding)
        #expect(course([(233, 201), (223, 174), (210, 161), (198, 143), (204, 147), (207, 151)]) == .receding)
        // A person in front of the plate leaves a part of it.
        #expect(
            course(
                [(114, 31), (122, 32), (130, 33), (72, 35), (141, 36)],
                ["GAD2957", "GAD2957", "GAD2957", "2957", "GAD2957"])
                == .approaching)
    }

    /// A camera that uploads over several connections brings them so.
    @Test func `is not told by frames that come in another order than they were taken in`() {
        let sizes = [(110, 32), (121, 35), (128, 36), (140, 42)]
        #expect(course(sizes, at: [3, 2, 1, 0]) == nil)
        #expect(course(sizes, at: [0, 2, 1, 3]) == nil)
        #expect(course(sizes, at: [0, 1, 1, 2]) == .approaching, "a camera may count in whole seconds")
    }

    @Test func `is told of a vehicle that came and stands`() {
        let standing = Array(repeating: (188, 92), count: 300)
        #expect(course([(150, 72), (162, 78), (174, 84), (188, 92)] + standing) == .approaching)
    }

    @Test func `is not told by few frames, little change, or standing`() {
        #expect(course([(100, 30)]) == nil)
        #expect(course([(100, 30), (130, 39)]) == nil)
        #expect(course(Array(repeating: (141, 36), count: 20)) == nil)
        #expect(course([(141, 36), (143, 37), (139, 36), (145, 37), (147, 38)]) == nil)
    }

    @Test func `is not told by one jump, however large, nor by sizes that go to and fro`() {
        // The same plate, found by its rows and then as a whole.
        #expect(course([(158, 104), (158, 104), (222, 148), (222, 148)]) == nil)
        #expect(course([(222, 148), (158, 104), (158, 104)]) == nil)
        #expect(course([(158, 104), (222, 148), (158, 104), (222, 148)]) == nil)
        #expect(course([(100, 30), (115, 35), (100, 30), (115, 35), (130, 39)]) == nil)
        // The front of the plate is hidden, then free.
        #expect(course([(72, 36), (100, 36), (141, 36)]) == nil)
    }

    @Test func `is told of a plate that was seen and not read, but not by what was found in both ways`() {
        let unread = [String](repeating: "", count: 4)
        #expect(course([(100, 30), (112, 34), (125, 38), (140, 42)], unread) == .approaching)
        #expect(course([(100, 30), (112, 34), (125, 38), (140, 42)], ["", "BA1PA1234", "", "BA1PA1234"]) == nil)
    }

    private func course(of readings: some Sequence<PlateReading>) -> Course? {
        var track: PlateTrack?
        for reading in readings {
            if track?.add(reading, at: second(0)) == nil { track = PlateTrack(reading, at: second(0)) }
        }
        return track?.course
    }

    /// As the tracker asks: frame by frame, until it is known.
    @Test func `is told of most drawn vehicles while they come, and of none wrongly`() {
        let told = DrawnTrack.all.map { drawn in
            let seen = drawn.frames.compactMap(\.self)
            let first = seen.indices.lazy.compactMap { course(of: seen[...$0]) }.first
            #expect(first == nil || first == drawn.course)
            return first
        }
        #expect(told.count == 21 && told.count { $0 != nil } >= 17, "\(told)")
    }

    /// Every stretch of three and more frames of each, forwards and backwards.
    @Test func `is told of no part of a drawn vehicle's way wrongly`() {
        var (right, moved, still) = (0, 0, 0)
        for drawn in DrawnTrack.all {
            let seen = drawn.frames.indices.compactMap { index in drawn.frames[index].map { ($0, drawn.scale(index)) } }
            for first in seen.indices {
                for last in seen.indices where last >= first + 2 {
                    for way in [Array(seen[first...last]), seen[first...last].reversed()] {
                        let change = (way.last?.1 ?? 1) / (way.first?.1 ?? 1)
                        let found = course(of: way.map(\.0))
                        let hasMoved = change > 1.1 || change < 1 / 1.1
                        if hasMoved { moved += 1 } else { still += 1 }
                        guard let found else { continue }
                        #expect(hasMoved && (found == .approaching) == (change > 1), "\(way)")
                        right += 1
                    }
                }
            }
        }
        #expect(right >= 100, "\(right) of \(moved), and none of \(still)")
    }

    /// Boxes that are as unsteady as the reader's: 1 to 2 % a side.
    @Test func `is never told wrongly by unsteady boxes of a vehicle that stands`() {
        var chance = SeededGenerator(seed: Seed.drawn())
        for _ in 0..<500 {
            let sizes = (0..<6).map { _ in
                (Int.random(in: 138...142, using: &chance), Int.random(in: 39...41, using: &chance))
            }
            #expect(course(sizes) == nil, "\(sizes)")
        }
    }

    @Test func `holds no more of a vehicle than of its beginning and its end`() throws {
        var track = PlateTrack(reading("BA1PA1234"), at: second(0))
        for number in 1...5000 { track.add(reading("BA1PA1234"), at: second(number)) }
        #expect(try JSONEncoder().encode(track).count < 1000)
    }
}

@Suite("A vote that waits for the vehicle's course", .timeLimit(.minutes(5)))
struct CourseWaitTests {
    private func run(_ approaching: Travel?, _ widths: [Int], ticks: [Double] = []) -> TrackerRun {
        var settings = SightingTracker.Settings()
        settings.approaching = approaching
        var run = TrackerRun(SightingTracker(camera: "gate", settings: settings))
        for (index, width) in widths.enumerated() {
            run.frame(
                Double(index) * 0.4, reading("BA1PA1234", box: Box(x: 100, y: 100, width: width, height: width / 3)))
        }
        for t in ticks { run.tick(t) }
        return run
    }

    @Test func `is recorded at once where the camera was told nothing, with the course that is known`() {
        #expect(run(nil, [120, 121, 120]).recorded.map(\.course) == [nil])
        let known = run(nil, [120, 132, 145]).recorded
        #expect(known.map(\.course) == [.approaching] && known.map(\.travel) == [nil])
    }

    @Test(arguments: Travel.allCases)
    func `is recorded as soon as the course is known, with what the camera was told`(approaching: Travel) {
        #expect(run(approaching, [120, 132, 145]).recorded.map(\.travel) == [approaching])
        #expect(run(approaching, [145, 132, 120]).recorded.map(\.travel) == [approaching.opposite])
        #expect(run(approaching, [120, 121, 120]).recorded.isEmpty)
        #expect(run(approaching, [120, 121, 131, 144]).recorded.map(\.travel) == [approaching])
    }

    @Test func `waits three seconds at most, also without another frame, and then says that it isn't known`() {
        #expect(run(.entering, [120, 121, 120], ticks: [1, 2.9]).recorded.isEmpty)
        let late = run(.entering, [120, 121, 120], ticks: [1, 2.9, 3])
        #expect(late.plates == ["BA1PA1234"] && late.recorded.map(\.travel) == [nil])
        var gone = run(.entering, [120, 121, 120])
        gone.end(1.5)
        #expect(gone.plates == ["BA1PA1234"])
    }

    @Test func `is found again after a restart, and in the state of an older version`() throws {
        var settings = SightingTracker.Settings()
        settings.approaching = .leaving
        var before = run(.leaving, [120, 132])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let written = try encoder.encode(before.tracker.state)
        let state = try JSONDecoder().decode(SightingTracker.State.self, from: written)
        var after = TrackerRun(SightingTracker(camera: "gate", settings: settings, state: state))
        let next = reading("BA1PA1234", box: Box(x: 100, y: 100, width: 145, height: 48))
        after.frame(0.8, next)
        #expect(after.recorded.map(\.travel) == [.leaving])
        before.frame(0.8, next)
        #expect(before.recorded == after.recorded)
        var text = String(decoding: written, as: UTF8.self)
        text.replace(#/"track":\{.*?\]\},?/#, with: "")
        #expect(!text.contains("track"))
        let old = try JSONDecoder().decode(SightingTracker.State.self, from: Data(text.utf8))
        var older = TrackerRun(SightingTracker(camera: "gate", settings: settings, state: old))
        older.frame(0.8, next)
        older.tick(4)
        #expect(older.recorded.map(\.travel) == [nil])
    }
}
