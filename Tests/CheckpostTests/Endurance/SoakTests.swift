import Enforcement
import Foundation
import MachineClock
import Storage
import TestKit
import Testing

@testable import Appliance

/// `CHECKPOST_SOAK_DAYS` days of `CHECKPOST_SOAK_VEHICLES` vehicles each, `CHECKPOST_SEED` for what goes up and down when.
///
/// The vehicles come as fast as the box reads them, and the clock moves on from one to the next so that a day has them all. Without the
/// variables it is two days of six vehicles, which shows that the soak works and little of the box.
@Suite(
    "A box that runs for a month", .enabled(if: BoxAtTheRoad.isPossible, "needs root, PostgreSQL and a C compiler"),
    .serialized, .timeLimit(.minutes(600)))
struct SoakTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let days = Int(environment["CHECKPOST_SOAK_DAYS"] ?? "") ?? 2
    private static let vehicles = Int(environment["CHECKPOST_SOAK_VEHICLES"] ?? "") ?? 6

    /// What still takes memory for the first time: models, caches, threads. With so few vehicles it isn't over at the end.
    private static let isLong = days * vehicles >= 400
    private static let warmUp = Double(days) / 5

    /// After the warm-up, up to the end, for one process.
    private static let mostGrowth = isLong ? 12 * 1024.0 : 96 * 1024
    private static let keptPhotoDays = 2.0

    @Test func `takes no more memory and no more descriptors with the days, and has every vehicle once at the server`()
        async throws
    {
        var random = SeededGenerator(seed: Seed.drawn())
        let backups = try TemporaryFolder()
        var outside = RunningAppliance.Outside()
        outside.camera = "pictures = \"remove\""
        outside.more = """
            [retention]
            compliant_photo_days = \(Self.keptPhotoDays)
            folder_days = 0.5
            passage_days = 100
            [backup]
            folder = "\(backups.url.path)"
            """
        let road = try BoxAtTheRoad(isClockSimulated: true, outside: outside)
        road.machine.ahead = .hours(-24 * Double(Self.days))
        try road.start()
        #expect(try await road.box.isRecording(), "\(road.box.log)")
        var figures = PartFigures()
        var passings: [BoxAtTheRoad.Passing] = []
        let began = MachineClock.uptime
        for day in 0..<Self.days {
            try await live(day, road, &passings, &figures, &random)
            if Self.isLong, day == Self.days / 10 { try await update(road) }
            // All of it is away, and nothing is under way.
            if day % 5 == 4 || day == Self.days - 1 {
                try await road.settle("after day \(day)")
                try await Task.sleep(for: .seconds(3))  // The last connections of the synchronization are closed.
                figures.look(at: road.box, day: Double(day + 1), isQuiet: true)
                report(day, road, figures, since: began)
            }
        }
        try expectEachOnce(passings, road)
        try await expectTidied(road, backups)
        expectFlat(figures)
        #expect(road.restarts == 0, "\(road.box.log.suffix(6000))")
        #expect(try await road.box.stop().status == 0)
    }

    /// One day: vehicles, and what goes down and comes up between them.
    private func live(
        _ day: Int, _ road: BoxAtTheRoad, _ passings: inout [BoxAtTheRoad.Passing], _ figures: inout PartFigures,
        _ random: inout SeededGenerator
    ) async throws {
        let step = TimeSpan.hours(24 / Double(Self.vehicles))
        let visitor = Visitor(port: road.box.port)
        var (isLinked, isServed) = (true, true)
        for number in 0..<Self.vehicles {
            switch Int.random(in: 0..<40, using: &random) {
            case 0...3:
                if isLinked { road.link.cut() } else { try road.link.restore() }
                isLinked.toggle()
            case 4, 5:
                if isServed { road.park.stop() } else { try road.park.start() }
                isServed.toggle()
            case 6, 7: if road.modem == nil { try road.plugModem() } else { road.unplugModem() }
            default: break
            }
            passings.append(try road.pass())
            // Somebody looks at the console, and Prometheus asks.
            for page in ["/sign-in", "/metrics"] { #expect(try await visitor.get(page).status == 200, "\(page)") }
            // As fast as the box reads, and no faster.
            if passings.count > 2 {
                let former = passings[passings.count - 3]
                #expect(
                    try await road.eventually(120) { try road.isRecorded(former) },
                    "\(former): \(road.box.log.suffix(4000))")
            }
            road.machine.ahead = .milliseconds(Int64(road.machine.ahead.seconds * 1000 + step.seconds * 1000))
            figures.look(at: road.box, day: Double(day) + Double(number) / Double(Self.vehicles))
        }
        if !isLinked { try road.link.restore() }
        if !isServed { try road.park.start() }
        if road.modem == nil { try road.plugModem() }
    }

    /// What an update does to a box that runs: it is stopped and started again.
    private func update(_ road: BoxAtTheRoad) async throws {
        #expect(try await road.box.stop().status == 0)
        try road.start()
        #expect(try await road.box.isRecording(), "\(road.box.log.suffix(4000))")
    }

    private func report(_ day: Int, _ road: BoxAtTheRoad, _ figures: PartFigures, since began: Instant) {
        let seconds = Int((MachineClock.uptime - began).seconds)
        print("after \(day + 1) days: \(road.came.values.reduce(0, +)) vehicles, \(road.texts) texts, \(seconds) s")
        for line in figures.lines(after: min(Self.warmUp, Double(day) / 2)) { print("    \(line)") }
        fflush(nil)
    }

    /// Each vehicle is at the server, at the moment at which it passed.
    private func expectEachOnce(_ passings: [BoxAtTheRoad.Passing], _ road: BoxAtTheRoad) throws {
        let rows = try road.park.query(
            "select replace(plate_number, ' ', ''), (extract(epoch from recorded_at) * 1000)::bigint from vehicle_passages"
        )
        var times: [String: [Int64]] = [:]
        for row in rows {
            let fields = row.split(separator: "|").map(String.init)
            times[fields[0], default: []].append(Int64(fields[1]) ?? 0)
        }
        let wrong = passings.filter { passing in
            let window = passing.first.milliseconds...passing.last.milliseconds
            return times[passing.plate, default: []].count { window.contains($0) } != 1
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(passings.count): \(wrong.prefix(5))")
        #expect(rows.count == passings.count)
    }

    /// What is older than its term is gone from the box, and a backup was made each day.
    private func expectTidied(_ road: BoxAtTheRoad, _ backups: TemporaryFolder) async throws {
        let passed = road.came.values.reduce(0, +)
        let taken = try FileManager.default.contentsOfDirectory(atPath: backups.url.path)
        #expect(!taken.isEmpty && taken.count >= min(Self.days, 7), "\(taken)")
        let kept = try FileManager.default.contentsOfDirectory(atPath: road.box.folder["incoming"].path).count
        #expect(kept < Self.vehicles * 6 * 2, "\(kept) pictures lie in the camera's folder")
        // Passages go after a hundred days at the least.
        road.machine.ahead = .hours(24 * 102)
        let areGone = try await road.eventually(120) { try road.rows("select count(*) from passages") == ["0"] }
        let left = try road.rows("select count(*) from passages") ?? []
        #expect(areGone, "\(left) of \(passed) passages are on record")
        // The last vehicle may be in front of the camera still, and a sign beside the road with it.
        let photos = try road.rows(
            """
            select path from photos where removed_at is null and not exists
                (select 1 from tracker_states where instr(cast(state as text), sha256) > 0)
            """)
        #expect(photos == [], "are kept, and no camera watches them")
        #expect(try road.arrived().values.reduce(0, +) == passed, "the server keeps what goes at the post")
    }

    private func expectFlat(_ figures: PartFigures) {
        let lines = figures.lines(after: Self.warmUp)
        #expect(lines.count >= 6, "\(figures.samples.keys.sorted())")
        for line in lines {
            #expect(line.lastKilobytes - line.firstKilobytes < Self.mostGrowth, "\(line)")
            #expect(line.kilobytesADay * line.days < Self.mostGrowth, "\(line)")
            if let first = line.quietDescriptors.first, let last = line.quietDescriptors.last {
                #expect(last <= first + 2, "\(line)")
            }
        }
    }
}
