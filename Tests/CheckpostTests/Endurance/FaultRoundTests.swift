import Enforcement
import Foundation
import MachineClock
import Storage
import TestKit
import Testing

/// `CHECKPOST_ROUNDS` rounds, `CHECKPOST_SEED` for their order, `CHECKPOST_FAULTS` for those that come (`diskFull,logGone`; without it all).
/// From 50 rounds on whoever is stopped is stopped for a minute.
@Suite(
    "A box to which everything happens",
    .enabled(if: BoxAtTheRoad.isPossible, "needs root, PostgreSQL and a C compiler"),
    .serialized, .timeLimit(.minutes(240)))
struct FaultRoundTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let rounds = Int(environment["CHECKPOST_ROUNDS"] ?? "") ?? 3

    /// Ten seconds are the aim; a machine that runs ten other tests is slower. What was measured is printed.
    private static let bound = 60.0

    @Test func `records again by itself after each fault, and each vehicle is at the server once`() async throws {
        var random = SeededGenerator(seed: Seed.drawn())
        let road = try BoxAtTheRoad()
        try road.start()
        #expect(try await road.box.isRecording(), "\(road.box.log)")
        var times = RoundTimes()
        var standing: [Fault: Int] = [:]
        for (round, fault) in Fault.drawn(Self.rounds, only: Self.environment["CHECKPOST_FAULTS"], &random).enumerated()
        {
            let place = "round \(round), \(fault)"
            for (ending, last) in standing where last <= round {
                try road.lift(ending)
                standing[ending] = nil
            }
            if standing.keys.contains(fault) { continue }
            if fault.needsAllSent {
                for ending in standing.keys { try road.lift(ending) }
                standing = [:]
                try await road.settle("before \(place)")
                try road.clearPictures()
            }
            try await play(fault, place, road, &times, &random)
            if fault.stands { standing[fault] = round + Int.random(in: 1...3, using: &random) }
            if round % 10 == 9 { print(times) }
        }
        for ending in standing.keys { try road.lift(ending) }
        try await road.settle("at the end")
        print("\(Self.rounds) rounds, \(road.restarts) restarts, \(road.texts) texts: \(times)\n\(times.byFault)")
        #expect(try await road.box.stop().status == 0)
    }

    private func play(
        _ fault: Fault, _ place: String, _ road: BoxAtTheRoad, _ times: inout RoundTimes,
        _ random: inout SeededGenerator
    ) async throws {
        let stop = TimeSpan.seconds(Self.rounds >= 50 ? 60 : 5)
        var began = Instant(milliseconds: 0)
        var meanwhile: BoxAtTheRoad.Passing?
        try await road.awaitNextVehicles()
        try await road.strike(fault, stop: stop, &random) { meanwhile = try road.pass() }
        try await expectRecorded(fault, place, road, &times)
        if let meanwhile {
            #expect(
                try await road.eventually(Self.bound) { try road.isRecorded(meanwhile) },
                "\(place): what came while it lasted is not on record")
        }
        began = MachineClock.uptime
        if road.machine.ahead != .milliseconds(0) {
            road.tellTime()
            try await road.awaitNextVehicles()
            try await expectRecorded(fault, place + ", the clock put right", road, &times)
        }
        // The console is there as well.
        let visitor = Visitor(port: road.box.port)
        var status = 0
        let deadline = began + .seconds(Self.bound)
        while status != 200, MachineClock.uptime < deadline {
            try road.keepRunning()
            status = (try? await visitor.get("/sign-in").status) ?? 0
            if status != 200 { try await Task.sleep(for: .milliseconds(100)) }
        }
        #expect(status == 200, "\(place): the console answers \(status)")
    }

    /// A vehicle comes, and is on record within the bound.
    private func expectRecorded(_ fault: Fault, _ place: String, _ road: BoxAtTheRoad, _ times: inout RoundTimes)
        async throws
    {
        let began = MachineClock.uptime
        let passing = try road.pass()
        let isRecorded = try await road.eventually(Self.bound) { try road.isRecorded(passing) }
        let seconds = (MachineClock.uptime - began).seconds
        times.add(seconds, fault)
        print("\(place): recorded after \(RoundTimes.text(seconds)) s")
        fflush(nil)
        if !isRecorded {
            Issue.record("\(place): \(passing) is not on record after \(Int(seconds)) s:\n\(road.box.log.suffix(6000))")
        }
    }
}

/// How long the rounds took.
struct RoundTimes: CustomStringConvertible {
    private var all: [(seconds: Double, fault: Fault)] = []

    mutating func add(_ seconds: Double, _ fault: Fault) { all.append((seconds, fault)) }

    static func text(_ seconds: Double) -> String { String(format: "%.1f", seconds) }

    var description: String {
        let sorted = all.map(\.seconds).sorted()
        guard let longest = sorted.last else { return "nothing was measured" }
        func part(_ share: Double) -> String { Self.text(sorted[Int(Double(sorted.count - 1) * share)]) }
        let within = sorted.count { $0 <= 10 }
        return
            "recorded within 10 s \(within) of \(sorted.count); half within \(part(0.5)) s, 95 of 100 within \(part(0.95)) s, "
            + "the last after \(Self.text(longest)) s"
    }

    /// The middle and the longest of each fault.
    var byFault: String {
        Dictionary(grouping: all, by: \.fault).sorted { $0.key.rawValue < $1.key.rawValue }.map { fault, times in
            let sorted = times.map(\.seconds).sorted()
            return
                "\(fault) \(sorted.count): \(Self.text(sorted[sorted.count / 2])) s, at most \(Self.text(sorted.last ?? 0)) s"
        }.joined(separator: "\n")
    }
}
