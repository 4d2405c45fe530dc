import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Storage

struct QueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "List what still has to reach the server, and send refused records again.",
        subcommands: [
            QueueListCommand.self, QueueShowCommand.self, QueueRetryCommand.self, QueueDiscardCommand.self,
        ],
        defaultSubcommand: QueueListCommand.self)
}

struct QueueListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the queue in the order in which it is sent.",
        discussion: """
            Pending ones wait for their turn; failed ones used up their attempts and come back by themselves; refused ones the \
            server will not have, and a person has to decide. Without a choice, all that are not synced are listed.

            Example: checkpost queue --failed
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Only failed ones, refused ones among them.")
    var failed = false

    @Flag(help: "Also those that are at the server.")
    var all = false

    @Option(help: "At most this many.")
    var limit = 100

    @Flag(help: "Print one JSON object an entry, each on one line.")
    var json = false

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is 1 to 100000.") }
        if failed, all { throw ValidationError("Give --failed or --all, not both.") }
    }

    func run() throws {
        let database = try store.openStore()
        let states: Set<QueueStatus> =
            failed ? [.failed] : all ? Set(QueueStatus.allCases) : [.pending, .inFlight, .failed]
        let entries = try database.queue.entries(in: states, limit: limit).filter { failed || all || !$0.isSetAside }
        let rows = try entries.map { try ListedEntry($0, store: database) }
        if json { return try rows.forEach(Output.printJSON) }
        guard !rows.isEmpty else { return print(try emptyText(database)) }
        var table = TextTable([
            ("id", .right), ("what", .left), ("plate", .left), ("recorded (Nepal)", .left), ("state", .left),
            ("attempts", .right), ("reason", .left),
        ])
        for row in rows {
            table.add([
                String(row.id), row.entity, row.text ?? "-",
                row.recordedAt.flatMap(Instant.init(iso8601:))?.nepalText ?? "-", row.stateText, String(row.attempts),
                row.lastError ?? row.waitsFor ?? row.smsObstacle.map { "not by SMS: \($0)" } ?? "-",
            ])
        }
        print(table.text)
        let total =
            try states.map { try database.queue.counts()[$0] ?? 0 }.reduce(0, +)
            - (failed || all ? 0 : try database.queue.setAsideCount())
        if total > rows.count { print("… and \(total - rows.count) more: --limit shows them.") }
    }
}

extension QueueListCommand {
    private func emptyText(_ database: Store) throws -> String {
        if all { return "Nothing was recorded yet." }
        let figures = try SyncFigures(database, at: BoxClock.now)
        return failed && figures.photosFailed == 0 ? "Nothing failed." : figures.nothingListedText
    }
}

struct QueueShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one entry with the passage that it is about.")

    @OptionGroup var store: StoreOptions

    @Argument(help: "Its number, as `queue list` shows it.")
    var id: Int64

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let database = try store.openStore()
        guard let entry = try database.queue.entry(id: id) else {
            throw AdvisedError("There is no queue entry \(id).", hint: "`checkpost queue --all` lists them.")
        }
        let row = try ListedEntry(entry, store: database)
        if json { return try Output.printJSON(row) }
        func time(_ text: String?) -> String { text.flatMap(Instant.init(iso8601:))?.nepalText ?? "-" }
        let lines = [
            ("entry", "\(row.id), \(row.entity)"), ("state", row.stateText), ("attempts", String(row.attempts)),
            ("reason", row.lastError ?? row.waitsFor ?? "-"), ("made", time(row.createdAt)),
            ("last attempt", time(row.lastAttemptAt)),
            ("not before", time(row.nextAttemptAt)), ("sent by SMS", row.smsText),
            ("passage", row.passage), ("plate", row.text ?? "-"), ("recorded", time(row.recordedAt)),
            ("server's id", row.serverID ?? "-"),
            ("photo", row.photoPath ?? row.photoState.map { "\($0)\(row.photoError.map { ": \($0)" } ?? "")" } ?? "-"),
        ]
        for (name, value) in lines {
            print(name.padding(toLength: 13, withPad: " ", startingAt: 0) + value)
        }
    }
}

struct QueueRetryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Put failed entries back in line, refused ones too.",
        discussion: """
            Do it after the cause is mended; a record that the server still refuses comes back with its reason. They are sent \
            with the next cycle: `checkpost sync --now`. One that was put away with `queue discard` comes back by its number; so does \
            one that was deleted at the server, if the warden takes the deletion back.

            Examples: checkpost queue retry 17 18
                      checkpost queue retry --failed
                      checkpost queue retry 17 --recorded-here
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "Their numbers, as `queue list` shows them.")
    var ids: [Int64] = []

    @Flag(help: "All that failed, and photos that failed.")
    var failed = false

    @Flag(
        help:
            "With numbers: they were recorded at this post under a code that the server doesn't know; they get this post's."
    )
    var recordedHere = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if ids.isEmpty != failed { throw ValidationError("Give the numbers of entries, or --failed.") }
        if recordedHere, failed { throw ValidationError("--recorded-here takes the numbers of entries.") }
    }

    private struct Report: Encodable {
        var retried: Int
        var photos: Int
        var notFailed: [Int64]

        enum CodingKeys: String, CodingKey {
            case retried, photos
            case notFailed = "not_failed"
        }

        /// `1 entry and 2 photos are back in line.`; nil when a note says it all.
        var text: String? {
            let parts = [
                retried > 0 ? Output.count(retried, "entry", "entries") : nil,
                photos > 0 ? Output.count(photos, "photo") : nil,
            ].compactMap(\.self)
            guard !parts.isEmpty else {
                return notFailed.isEmpty ? "Nothing failed: nothing is to be sent again." : nil
            }
            return parts.joined(separator: " and ") + (retried + photos == 1 ? " is" : " are") + " back in line."
        }
    }

    func run() throws {
        let database = try store.openStore()
        var report = Report(retried: 0, photos: 0, notFailed: [])
        if failed {
            report.retried = try database.queue.retryFailed(at: BoxClock.now)
            report.photos = try database.photos.reviveFailed(refusedToo: true)
        }
        // Without the appliance nobody sends: what seems to be under way was left there by a crash.
        if try !RunLock.isHeld(folder: store.dataFolder()) { try database.queue.recoverInFlight() }
        let code = recordedHere ? try store.configuration(orPilotFor: database).post.code : nil
        for id in ids {
            if let code { try database.queue.attribute(entry: id, toPost: code, at: BoxClock.now) }
            let count = try database.queue.retryFailed(id: id, at: BoxClock.now)
            if count == 0 { report.notFailed.append(id) }
            report.retried += count
        }
        if json {
            try Output.printJSON(report)
        } else {
            if let text = report.text { print(text) }
            for id in report.notFailed { Output.note(try standing(of: id, in: database)) }
        }
        if !report.notFailed.isEmpty { throw ExitCode(1) }
    }

    /// Why an entry isn't put back in line.
    private func standing(of id: Int64, in database: Store) throws -> String {
        switch try database.queue.entry(id: id)?.status {
        case nil: "There is no queue entry \(id): `checkpost queue --all` lists them."
        case .pending: "\(id) waits in line already: `checkpost sync --now` sends it."
        case .inFlight: "\(id) is being sent now; if that fails, it goes back in line by itself."
        case .synced: "\(id) is at the server."
        case .failed: "\(id) could not be put back in line: `checkpost queue show \(id)`."
        }
    }
}
