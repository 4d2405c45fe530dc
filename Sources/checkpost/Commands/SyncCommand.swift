import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Storage

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Say how synchronization with the server stands, or run a cycle now.",
        discussion: "`checkpost sync --now` and `checkpost sync --verify` are those of `checkpost sync status`.",
        subcommands: [SyncStateCommand.self, SyncSendCommand.self, SyncFetchCommand.self, SyncResetCommand.self],
        defaultSubcommand: SyncStateCommand.self)
}

struct SyncStateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say how synchronization stands, run a cycle now, or compare with the server.",
        discussion: """
            Without --now: the link, the queue and the last cycles. With --now: sends what waits, fetches what is new, then \
            sends photos, and says what it did. While the appliance runs, it is the appliance that does it, at once and \
            whatever it was waiting for; else this command does it itself. Exits with 1 when the cycle ended early.

            With --verify: the same, and a comparison of what box and server have of each of the last 90 days, as it is made every 12 \
            hours by itself. What the server lost is sent again. Exits with 1 when it lost something, or could not be compared.
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Run a cycle now.")
    var now = false

    @Flag(help: "Compare what box and server have, day by day.")
    var verify = false

    @Flag(help: "This machine is the box from now on: its disk came from another one that is out of use.")
    var adopt = false

    @Option(help: "With --now and --verify: how long to wait for the appliance, in seconds.")
    var timeout = 120

    @Option(help: "How many of the last cycles are shown.")
    var runs = 5

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (1...3600).contains(timeout) else { throw ValidationError("--timeout is 1 to 3600.") }
        guard (0...3000).contains(runs) else { throw ValidationError("--runs is 0 to 3000.") }
    }

    func run() async throws {
        if adopt {
            try BoxMachine(try store.openStore()).adopt()
            let post = try store.configuration().post.code
            return print("This machine is the box of \(post) now. It sends when the server answers.")
        }
        let configuration = try store.configurationWithServer()
        if verify { return try await SyncVerification(command: self).run(configuration) }
        if now { try await runNow(configuration) } else { try show(configuration) }
    }

    private struct Report: Encodable {
        var isRunning: Bool
        var link: LinkReport?
        var sync: SyncFigures
        var runs: [SyncFigures.Run]

        enum CodingKeys: String, CodingKey {
            case isRunning = "is_running"
            case link, sync, runs
        }
    }

    private func show(_ configuration: Configuration) throws {
        let database = try store.openStore()
        let isRunning = RunLock.isHeld(folder: configuration.dataFolder)
        let report = Report(
            isRunning: isRunning, link: isRunning ? StatusBoard.read(folder: configuration.dataFolder)?.link : nil,
            sync: try SyncFigures(database, at: BoxClock.now),
            runs: try database.runs.list(limit: runs).map(SyncFigures.Run.init))
        if json { return try Output.printJSON(report) }
        let held = try BoxMachine(database).obstacle().map { "nothing is sent. \($0)" }
        let silent = isRunning ? "the appliance has not said yet" : "the appliance is not running"
        print("server: " + (held ?? report.link?.text(at: BoxClock.now) ?? silent))
        print("sync queue: \(report.sync.queueText)\ndata: \(report.sync.dataText)")
        try DaysAgain(configuration, store: database).underWay().forEach { print($0) }
        guard !report.runs.isEmpty else { return }
        var table = TextTable([
            ("cycle (Nepal)", .left), ("took", .right), ("sent", .right), ("fetched", .right), ("photos", .right),
            ("ended early", .left),
        ])
        for run in report.runs {
            table.add([
                run.startedAt.nepalText, Output.span(run.finishedAt - run.startedAt), String(run.pushed),
                String(run.pulled), String(run.photos), run.failure ?? "-",
            ])
        }
        print(table.text)
    }

    private func runNow(_ configuration: Configuration) async throws {
        let database = try store.openStore()
        let before = try database.queue.counts()
        let started = BoxClock.now
        let (performer, problem) = try await CycleByHand(configuration, store: database, timeoutSeconds: timeout).run()
        let done = try database.runs.list(limit: 3000).filter { $0.finishedAt >= started }
        let failure = problem ?? done.first?.failure
        try report(
            NowReport(
                by: performer, pushed: done.map(\.pushed).reduce(0, +),
                pulled: done.map(\.pulled).reduce(0, +), photos: done.map(\.photos).reduce(0, +), failure: failure,
                before: before, sync: try SyncFigures(database, at: BoxClock.now)))
        if failure != nil { throw ExitCode(1) }
    }

    private struct NowReport: Encodable {
        var by: CycleByHand.Performer
        var pushed: Int
        var pulled: Int
        var photos: Int
        var failure: String?
        var before: [QueueStatus: Int]
        var sync: SyncFigures

        enum CodingKeys: String, CodingKey {
            case by, pushed, pulled, photos, failure, sync
        }
    }

    private func report(_ report: NowReport) throws {
        if json { return try Output.printJSON(report) }
        let by = report.by == .appliance ? ", by the running appliance." : "."
        if report.failure != nil, report.pushed + report.pulled + report.photos == 0 {
            print("Nothing was exchanged with the server" + by)
        } else {
            print("\(report.pushed) sent, \(report.pulled) fetched, \(Output.count(report.photos, "photo"))" + by)
        }
        print("sync queue: \(report.sync.queueText)")
        if let failure = report.failure { Output.note("It ended early: \(failure)") }
    }
}
