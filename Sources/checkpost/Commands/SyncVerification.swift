import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Storage

/// `checkpost sync --verify`: asks for a comparison with the server, waits for it, and shows it.
struct SyncVerification {
    let command: SyncCommand

    private struct Report: Encodable {
        struct Day: Encodable {
            let day: String
            let here: Int
            let there: Int
            let isSame: Bool
            let sentAgain: Int

            enum CodingKeys: String, CodingKey {
                case day, here, there
                case isSame = "same"
                case sentAgain = "sent_again"
            }
        }

        let at: String?
        let sentAgain: Int
        let days: [Day]
        let problem: String?

        enum CodingKeys: String, CodingKey {
            case at
            case sentAgain = "sent_again"
            case days, problem
        }
    }

    func run(_ configuration: Configuration) async throws {
        let database = try command.store.openStore()
        let asked = BoxClock.now
        try database.set(SyncCursor(name: SyncCursor.comparisonRequested, value: asked.milliseconds), at: asked)
        let isRunning = RunLock.isHeld(folder: configuration.dataFolder)
        let failure =
            isRunning
            ? try await command.askAppliance(configuration) : try command.runHere(configuration, database)
        if isRunning, failure == nil { try await wait(for: database, since: asked) }
        let made = try database.lastComparison().flatMap { $0.at >= asked ? $0 : nil }
        let problem =
            failure ?? made?.message
            ?? (made == nil
                ? "The comparison is not through yet: `checkpost sync --verify` again shows how far it is." : nil)
        let report = Report(
            at: made?.at.iso8601, sentAgain: made?.sentAgain ?? 0,
            days: try database.serverDays().map {
                Report.Day(
                    day: CivilTime($0.start).dateText, here: $0.here, there: $0.there, isSame: $0.isSame,
                    sentAgain: $0.sentAgain)
            }, problem: problem)
        if command.json { try Output.printJSON(report) } else { show(report) }
        if problem != nil || report.sentAgain > 0 { throw ExitCode(1) }
    }

    /// A long comparison takes several cycles.
    private func wait(for database: Store, since asked: Instant) async throws {
        let deadline = ContinuousClock.now + .seconds(command.timeout)
        while ContinuousClock.now < deadline {
            if let last = try database.lastComparison(), last.at >= asked { return }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    private func show(_ report: Report) {
        var table = TextTable([
            ("day (UTC)", .left), ("sent from here", .right), ("at the server", .right), ("", .left),
        ])
        for day in report.days {
            let state =
                day.isSame
                ? "the same" : day.sentAgain > 0 ? "\(day.sentAgain) sent again" : "differs, and nothing is lost"
            table.add([day.day, String(day.here), String(day.there), state])
        }
        if !report.days.isEmpty { print(table.text) }
        if report.at != nil, report.problem == nil {
            print(
                report.sentAgain == 0
                    ? "The server has everything that this post sent."
                    : "\(Output.count(report.sentAgain, "record")) that the server had lost: sent again, in order.")
        }
        if let problem = report.problem { Output.note(problem) }
    }
}
