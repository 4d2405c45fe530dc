import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Storage

/// `checkpost sync --verify`: asks for a comparison with the server, waits for it, and shows it.
struct SyncVerification {
    let command: SyncStateCommand

    func run(_ configuration: Configuration) async throws {
        let database = try command.store.openStore()
        let (made, failure) = try await CycleByHand(
            configuration, store: database, timeoutSeconds: command.timeout
        ).compare()
        let problem =
            failure ?? made?.message
            ?? (made == nil
                ? "The comparison is not through yet: `checkpost sync --verify` again shows how far it is." : nil)
        let report = VerificationReport(
            at: made?.at.iso8601, sentAgain: made?.sentAgain ?? 0,
            days: try database.comparisons.days().map {
                VerificationReport.Day(
                    day: CivilTime($0.start).dateText, here: $0.here, there: $0.there, isSame: $0.isSame,
                    sentAgain: $0.sentAgain)
            }, problem: problem)
        if command.json { try Output.printJSON(report) } else { show(report) }
        if problem != nil || report.sentAgain > 0 { throw ExitCode(1) }
    }

    private func show(_ report: VerificationReport) {
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
