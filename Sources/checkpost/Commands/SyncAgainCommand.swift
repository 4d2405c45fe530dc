import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Storage

/// Whether it may go on, after it was said what it will do.
struct ConsentOptions: ParsableArguments {
    @Flag(help: "Don't ask.")
    var yes = false

    func obtain(_ plan: [String], _ question: String) throws {
        plan.forEach(Output.note)
        guard try yes || Self.asks(question) else {
            Output.note("Nothing was done.")
            throw ExitCode(1)
        }
    }

    static func asks(_ question: String) throws -> Bool {
        guard isatty(STDIN_FILENO) == 1 else {
            throw AdvisedError("Nobody can be asked here: nothing was done.", hint: "Add --yes.")
        }
        print("\(question) [y/N] ", terminator: "")
        fflush(nil)
        return readLine()?.lowercased().hasPrefix("y") == true
    }
}

extension StoreOptions {
    /// The configuration of a post with a server, with its data folder.
    func configurationWithServer() throws -> Configuration {
        var configuration = try configuration()
        configuration.dataFolder = try dataFolder()
        guard configuration.server != nil else {
            throw AdvisedError(
                "No server is configured.", hint: "Add [server] to \(configPath), or run `checkpost setup`.")
        }
        return configuration
    }
}

extension FetchedKind: ExpressibleByArgument {}

struct SyncResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Forget what was fetched from the server, or a part of it, and fetch it anew.",
        discussion: """
            What this post recorded is never touched, nor what waits for the server. Parts: passages of the other post; road with limits and \
            settings; lists of the office; accounts of the server; findings (matches, violations, outcomes, alerts). It says what it will do, \
            and asks. The box may run meanwhile; without a link all is fetched when the server answers.

            Examples: checkpost sync reset passages
                      checkpost sync reset --all
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var consent: ConsentOptions

    @Argument(help: "Which parts: passages, road, lists, accounts, findings.")
    var parts: [FetchedKind] = []

    @Flag(help: "All parts.")
    var all = false

    func validate() throws {
        if parts.isEmpty != all { throw ValidationError("Name the parts, or give --all.") }
    }

    func run() async throws {
        let configuration = try store.configurationWithServer()
        let database = try store.openStore()
        let anew = FetchedAnew(configuration, store: database)
        let kinds = Set(all ? FetchedKind.allCases : parts)
        try consent.obtain(try anew.plan(kinds, at: BoxClock.now), "Go on?")
        switch try await anew.run(kinds, timeoutSeconds: 60) {
        case .done: print("Done: the box fetches it anew when the server answers. `checkpost sync` shows its cycles.")
        case .asked: print("It is on record: the appliance does it with its next cycle.")
        }
    }
}

struct SyncDaysOptions: ParsableArguments {
    @OptionGroup var store: StoreOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var days: DayOptions

    @Option(help: "How long to wait for the end, in seconds; it goes on without.")
    var timeout = 120

    func validate() throws {
        if days.from == nil { throw ValidationError("Say from which day on: --from 2026-11-21.") }
        guard (1...3600).contains(timeout) else { throw ValidationError("--timeout is 1 to 3600.") }
    }

    func run(_ direction: DaysDirection, hasPhotos: Bool = false) async throws {
        let configuration = try store.configurationWithServer()
        let database = try store.openStore()
        let (span, now) = (try days.span(), BoxClock.now)
        guard let from = span.from else { return }
        let wanted = WantedDays(direction, from: from, until: span.until ?? now + .minutes(1), hasPhotos: hasPhotos)
        let again = DaysAgain(configuration, store: database)
        try again.check(wanted)
        try consent.obtain(try again.plan(wanted), "Go on?")
        try again.want(wanted, at: now)
        let rest = try await again.run(direction, timeoutSeconds: timeout, say: Output.note)
        if let rest {
            Output.note("Not all is done yet: \(rest)")
            throw ExitCode(1)
        }
        print("Done.")
    }
}

struct SyncSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send what this post recorded on some days to the server once more.",
        discussion: """
            Passages, corrections and pictures; the server knows each by its id, so nothing is doubled. For a server that lost them \
            `checkpost sync --verify` finds by itself what is missing.

            Example: checkpost sync send --from 2026-11-20 --to 2026-11-22
            """)

    @OptionGroup var options: SyncDaysOptions

    @Flag(help: "Leave the pictures out.")
    var withoutPhotos = false

    func run() async throws { try await options.run(.send, hasPhotos: !withoutPhotos) }
}

struct SyncFetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Fetch the other post's passages, and findings, of some days once more.",
        discussion: "Example: checkpost sync fetch --from 2026-11-20 --to 2026-11-22")

    @OptionGroup var options: SyncDaysOptions

    func run() async throws { try await options.run(.fetch) }
}
