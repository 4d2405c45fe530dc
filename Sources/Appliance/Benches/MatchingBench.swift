import Enforcement
import Foundation
import Recognition
import Storage

/// Measures how long matching takes in a database with a long history.
///
/// The history is that of a box that has kept up: all of it has been looked at, and none of it has found its counterpart, so that every row
/// is one that a search could meet.
package struct MatchingBench {
    package struct Report: Encodable {
        package let rows: Int
        package let buildSeconds: Double
        package let databaseBytes: Int

        /// A round when nothing is new, and one whose step is full of new passages.
        package let idleRoundMs: Double
        package let fullRoundMs: Double
        package let fullRoundPassages: Int
        package let matches: Int
        package let matchMedianMs: Double
        package let matchP99Ms: Double

        /// What they are to stay below, in milliseconds.
        package let roundLimitMs: Double
        package let matchLimitMs: Double

        package var isWithin: Bool { fullRoundMs < roundLimitMs && matchP99Ms < matchLimitMs }

        package enum CodingKeys: String, CodingKey {
            case rows, matches
            case buildSeconds = "build_seconds"
            case databaseBytes = "database_bytes"
            case idleRoundMs = "idle_round_ms"
            case fullRoundMs = "full_round_ms"
            case fullRoundPassages = "full_round_passages"
            case matchMedianMs = "match_median_ms"
            case matchP99Ms = "match_p99_ms"
            case roundLimitMs = "round_limit_ms"
            case matchLimitMs = "match_limit_ms"
        }
    }

    private let rows: Int
    private let seed: UInt64

    package init(rows: Int, seed: UInt64) {
        (self.rows, self.seed) = (rows, seed)
    }

    private static let batch = 1000
    private static let passagesPerDay = 2000
    private static let matches = 1000
    private static let newPassages = 40

    /// - Parameter folder: where the database is made.
    package func measure(in folder: URL, progress: (Int) -> Void) throws -> Report {
        let path = folder.appendingPathComponent("checkpost.sqlite").path
        let store = try Store(path: path)
        defer { try? store.close() }
        let configuration = Configuration.pilot
        let matching = MatchingService(store: store, configuration: configuration)
        var vehicles = Vehicles(seed: seed)
        let began = ContinuousClock.now
        let end = try makeHistory(in: store, configuration, &vehicles, progress)
        let buildSeconds = (ContinuousClock.now - began).milliseconds / 1000

        let idle = try (0..<20).map { _ in try Self.time { _ = try matching.round(at: end) } }
        var (full, times): ([Double], [Double]) = ([], [])
        for number in 0..<Self.matches {
            let plate = vehicles.next()
            let time = end + .seconds(Double(number))
            if number.isMultiple(of: 2) {
                try store.otherPost.upsert([Self.remote(plate, time - .hours(1))], at: time)
            }
            let passage = Self.own(plate, time, configuration)
            try store.passages.record(passage, at: time)
            times.append(try Self.time { _ = try matching.match([passage], at: time) })
        }
        try finishWork(in: store)
        for number in 0..<5 {
            let time = end + .hours(Double(number + 1))
            let plates = (0..<Self.newPassages).map { _ in vehicles.next() }
            try store.otherPost.upsert(plates.map { Self.remote($0, time - .hours(1)) }, at: time)
            try store.frames.commit(Self.commit(plates.map { Self.own($0, time, configuration) }, at: time))
            full.append(try Self.time { _ = try matching.round(at: time) })
        }
        times.sort()
        return Report(
            rows: rows, buildSeconds: buildSeconds, databaseBytes: try store.figures.now().databaseBytes,
            idleRoundMs: idle.sorted()[idle.count / 2], fullRoundMs: full.sorted()[full.count / 2],
            fullRoundPassages: 2 * Self.newPassages, matches: times.count, matchMedianMs: times[times.count / 2],
            matchP99Ms: times[times.count * 99 / 100], roundLimitMs: 50, matchLimitMs: 5)
    }

    /// - Returns: the time of the newest passage.
    private func makeHistory(
        in store: Store, _ configuration: Configuration, _ vehicles: inout Vehicles, _ progress: (Int) -> Void
    ) throws -> Instant {
        let step = TimeSpan.seconds(86_400 / Double(Self.passagesPerDay))
        var time = Instant(milliseconds: 1_700_000_000_000)
        var made = 0
        while made < rows {
            let count = min(Self.batch, (rows - made + 1) / 2)
            var (own, remote): ([Passage], [MatchablePassage]) = ([], [])
            for _ in 0..<count {
                time = time + step
                own.append(Self.own(vehicles.next(), time, configuration))
                remote.append(Self.remote(vehicles.next(), time))
            }
            try store.frames.commit(Self.commit(own, at: time))
            try store.otherPost.upsert(remote, at: time)
            try finishWork(in: store)
            made += 2 * count
            progress(made)
        }
        // The walks have gone through it, too.
        let walked = MatchProgress(recordedAt: time, clientID: "~", window: configuration.matcher.window)
        try store.matches.set(walked, of: MatchProgress.sweep)
        try store.matches.set(walked, of: MatchProgress.overstay)
        try store.cursors.set(SyncCursor(name: SyncCursor.otherPostKnownUpTo, value: time.milliseconds), at: time)
        return time
    }

    private func finishWork(in store: Store) throws {
        while true {
            let work = try store.matches.work(limit: 4 * Self.batch)
            guard !work.isEmpty else { return }
            try store.matches.finish(work)
        }
    }

    private static func time(_ work: () throws -> Void) rethrows -> Double {
        let began = ContinuousClock.now
        try work()
        return (ContinuousClock.now - began).milliseconds
    }

    private static func commit(_ passages: [Passage], at time: Instant) -> FrameCommit {
        FrameCommit(
            camera: "bench", recordings: passages.map { .init(passage: $0, sighting: nil) }, at: time)
    }

    private static func own(_ plate: String, _ time: Instant, _ configuration: Configuration) -> Passage {
        Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: configuration.post.code, recordedAt: time, clockState: .synchronised, confidence: 0.9,
            origin: .camera, photoSHA256: nil)
    }

    private static func remote(_ plate: String, _ time: Instant) -> MatchablePassage {
        MatchablePassage(
            clientID: UUID(), plate: Plate(canonical: plate), vehicleType: .car,
            checkpostCode: Configuration.pilot.otherPostCode, recordedAt: time, clockState: .synchronised)
    }

    /// Plates such as `BA 12 PA 3456`, the same ones from the same seed.
    private struct Vehicles {
        private static let zones = ["BA", "BHE", "RA", "LU", "GA", "NA", "KO", "ME", "SE", "MA"]
        private static let classes = ["PA", "CHA", "KHA", "JA", "KA"]
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next() -> String {
            "\(Self.zones[draw(10)]) \(1 + draw(99)) \(Self.classes[draw(5)]) \(1 + draw(9999))"
        }

        /// SplitMix64 (Steele, Lea, Flood 2014).
        private mutating func draw(_ count: UInt64) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return Int((value ^ value >> 31) % count)
        }
    }
}
