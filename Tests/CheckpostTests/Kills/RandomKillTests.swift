import Enforcement
import Foundation
import Storage
import TestKit
import Testing

/// `CHECKPOST_KILLS` kills, `CHECKPOST_SEED` for their order. Without the first it is skipped: a kill takes seconds, and it is the many
/// that find something.
@Suite(
    "A park whose processes are killed by chance",
    .enabled(if: KillPark.isPossible && ProcessInfo.processInfo.environment["CHECKPOST_KILLS"] != nil), .serialized,
    .timeLimit(.minutes(180)))
struct RandomKillTests {
    private static let kills = Int(ProcessInfo.processInfo.environment["CHECKPOST_KILLS"] ?? "") ?? 12
    private static let seed =
        UInt64(ProcessInfo.processInfo.environment["CHECKPOST_SEED"] ?? "") ?? UInt64.random(in: 0..<1_000_000)

    /// The sample day comes again and again, each time two days later: no vehicle of one round fits one of another.
    private static let roundShift = TimeSpan.hours(48)
    private static let firstDay = Instant(milliseconds: 1_758_400_000_000)  // September 2025

    private struct Frame {
        let post: KillPark.Part
        let file: URL
        let time: Instant
    }

    private struct Passing: Hashable, CustomStringConvertible {
        let post: String
        let plate: String
        let atMs: Int64
        var description: String { "\(post) \(plate) \(Instant(milliseconds: atMs).iso8601)" }
    }

    @Test(.timeLimit(.minutes(180)))
    func `has every vehicle once at the server, whatever was killed when`() async throws {
        print("random kills: \(Self.kills), seed \(Self.seed)")
        var random = SeededGenerator(seed: Self.seed)
        let park = try await KillPark()
        let frames = try Self.frames()
        let oneRound = try await Self.passingsOfOneRound()
        #expect(oneRound.count > 8, "the sample day gave \(oneRound)")
        for part in [KillPark.Part.boxA, .boxB] { try park.start(part) }
        var (killed, rounds, tally) = (0, 0, [String: Int]())
        var nextKill = Date()
        while killed < Self.kills {
            for frame in frames {
                try Self.arrive(frame, round: rounds, in: park)
                try await Task.sleep(for: .milliseconds(Int.random(in: 60...400, using: &random)))
                guard Date() >= nextKill, killed < Self.kills else { continue }
                let name = try Self.killOne(in: park, &random)
                tally[name, default: 0] += 1
                killed += 1
                nextKill = Date().addingTimeInterval(Double.random(in: 0.2...2.5, using: &random))
                if killed.isMultiple(of: 100) { print("\(killed) kills, \(rounds) rounds") }
            }
            rounds += 1
        }
        print("killed: \(tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))")
        try await settle(park, frames: frames.count * rounds)
        try await check(park, oneRound, rounds: rounds)
        for part in [KillPark.Part.boxA, .boxB] { try await park.stop(part, by: SIGTERM) }
    }

    /// Kills one process, or one part of a box, and starts again what is gone, now or a few kills later.
    private static func killOne(in park: KillPark, _ random: inout SeededGenerator) throws -> String {
        if Int.random(in: 0..<3, using: &random) > 0 { _ = try park.startWhatIsGone() }
        let part = KillPark.Part.allCases.randomElement(using: &random) ?? .boxA
        guard let process = park.process(part) else { return "nothing" }
        var (target, name) = (process.pid, part.rawValue)
        // A part of a box, or one of the database's own processes, by itself.
        if part != .server, Bool.random(using: &random), let child = process.children.randomElement(using: &random) {
            (target, name) = (child, "\(part.rawValue)'s child")
        }
        kill(target, SIGKILL)
        if Bool.random(using: &random) { _ = try park.startWhatIsGone() }
        return name
    }

    /// Waits until all frames are answered for and nothing waits for the server, as long as it goes on.
    private func settle(_ park: KillPark, frames: Int) async throws {
        for part in [KillPark.Part.boxA, .boxB] {
            let store = try Store(path: park.box(part) + "/data/checkpost.sqlite")
            defer { try? store.close() }
            let files = try FileManager.default.contentsOfDirectory(atPath: park.box(part) + "/incoming").count
            var (state, deadline) = ("", Date().addingTimeInterval(300))
            while Date() < deadline {
                _ = try park.startWhatIsGone()
                let taken = try store.frames.takenKeys(camera: "gate").count
                let counts = try store.queue.counts()
                let left = counts.filter { $0.key != .synced }
                let now = "\(taken) of \(files) frames taken, left in the queue \(left)"
                if now != state { deadline = Date().addingTimeInterval(300) }
                state = now
                if taken == files, left.values.allSatisfy({ $0 == 0 }) { break }
                try await Task.sleep(for: .milliseconds(500))
            }
            #expect(Date() < deadline, "\(part): \(state)")
        }
    }

    private func check(_ park: KillPark, _ oneRound: [Passing], rounds: Int) async throws {
        let rows = try park.query(
            "select c.code || '|' || replace(p.plate_number, ' ', '') || '|' || (extract(epoch from p.recorded_at) * 1000)::bigint "
                + "from vehicle_passages p join checkposts c on c.id = p.checkpost_id")
        var found: [Passing: Int] = [:]
        for row in rows {
            let fields = row.split(separator: "|").map(String.init)
            guard fields.count == 3, let milliseconds = Int64(fields[2]) else {
                Issue.record("the server says \(row)")
                continue
            }
            found[Passing(post: fields[0], plate: fields[1], atMs: milliseconds), default: 0] += 1
        }
        var expected: Set<Passing> = []
        for round in 0..<rounds {
            for one in oneRound {
                let shifted = Instant(milliseconds: one.atMs) + Self.shift(round)
                expected.insert(Passing(post: one.post, plate: one.plate, atMs: shifted.milliseconds))
            }
        }
        let lost = expected.subtracting(found.keys)
        // A kill that costs a picture may leave a vehicle sure that waits for review when nothing is disturbed.
        let reviews = try await Self.platesInReview()
        let strange = Set(found.keys).subtracting(expected).filter { !reviews.contains("\($0.post) \($0.plate)") }
        let doubled = found.filter { $0.value > 1 }
        #expect(lost.isEmpty, "seed \(Self.seed): lost \(lost.count): \(Array(lost.prefix(5)))")
        #expect(strange.isEmpty, "seed \(Self.seed): unexpected \(strange.count): \(Array(strange.prefix(5)))")
        #expect(doubled.isEmpty, "seed \(Self.seed): doubled \(Array(doubled.prefix(5)))")
        print("\(rounds) rounds, \(expected.count) vehicles expected, \(found.count) found at the server")
    }

    // MARK: Frames

    private static func shift(_ round: Int) -> TimeSpan {
        let first = Instant(iso8601: "2026-11-21T04:15:19.024Z") ?? firstDay
        let toFirstDay = firstDay.milliseconds - first.milliseconds
        return .milliseconds(toFirstDay + Int64(round) * Int64(roundShift.seconds * 1000))
    }

    private static func frames() throws -> [Frame] {
        try [KillPark.Part.boxA, .boxB].flatMap { part in
            let folder = Checkout.samples.appendingPathComponent("drive/\(part == .boxA ? "BNP-A" : "BNP-B")")
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "jpg" }
                .compactMap { file in
                    time(file.lastPathComponent).map { Frame(post: part, file: file, time: $0) }
                }
        }.sorted { $0.time < $1.time }
    }

    /// `20261121T041519.024Z.jpg`
    private static func time(_ name: String) -> Instant? {
        let t = Array(name)
        guard t.count >= 19 else { return nil }
        return Instant(
            iso8601:
                "\(String(t[0..<4]))-\(String(t[4..<6]))-\(String(t[6..<11])):\(String(t[11..<13])):\(String(t[13..<20]))"
        )
    }

    private static func arrive(_ frame: Frame, round: Int, in park: KillPark) throws {
        let time = (frame.time + shift(round)).iso8601.replacing("-", with: "").replacing(":", with: "")
        let folder = park.box(frame.post) + "/incoming/"
        try FileManager.default.copyItem(atPath: frame.file.path, toPath: folder + ".arriving")
        try FileManager.default.moveItem(atPath: folder + ".arriving", toPath: folder + time + ".jpg")
    }

    /// The posts and plates that wait for review when nothing is disturbed.
    private static func platesInReview() async throws -> Set<String> {
        let samples = try await SampleDay.replayed.value.folder
        return try Set(
            ["BNP-A", "BNP-B"].flatMap { post in
                let store = try Store(path: samples["posts/\(post)/checkpost.sqlite"].path)
                defer { try? store.close() }
                return try store.sightings.list(in: .review, limit: 1000).map {
                    "\(post) \($0.sighting.reading.plate.compact)"
                }
            })
    }

    /// What the same frames give when nothing is disturbed.
    private static func passingsOfOneRound() async throws -> [Passing] {
        let samples = try await SampleDay.replayed.value.folder
        return try ["BNP-A", "BNP-B"].flatMap { post in
            let store = try Store(path: samples["posts/\(post)/checkpost.sqlite"].path)
            defer { try? store.close() }
            return try store.passages.list(limit: 1000).map {
                Passing(
                    post: post, plate: $0.passage.plate.compact, atMs: $0.passage.recordedAt.milliseconds)
            }
        }
    }
}
