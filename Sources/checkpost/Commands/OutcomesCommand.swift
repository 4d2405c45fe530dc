import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Ranger
import Storage

struct OutcomesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outcomes", abstract: "List and record what was done about violations.",
        discussion: """
            The same record as the console's RECORD OUTCOME makes. It can be changed for 24 hours, counted from the first one; what \
            was recorded before stays on record.

            Example: `checkpost violations --open` shows the violation 3f0c8a11, then

              checkpost outcomes record 3f0c8a11 fined --fine 1,500 --notes "paid at the gate"
              checkpost outcomes record 3f0c8a11 let_go
              checkpost outcomes list 3f0c8a11
            """,
        subcommands: [OutcomesListCommand.self, OutcomesRecordCommand.self], defaultSubcommand: OutcomesListCommand.self
    )
}

extension Outcome.Kind: ExpressibleByArgument {}

extension ViolationTable {
    /// The violation with an id, or with the only one that begins so.
    fileprivate func violation(beginning start: String) throws -> StoredViolation {
        let unknown = AdvisedError(
            "There is no violation \(start).", hint: "`checkpost violations` shows how their ids begin.")
        if let id = UUID(uuidString: start) {
            guard let violation = try violation(id: id) else { throw unknown }
            return violation
        }
        guard start.count >= 4 else {
            throw AdvisedError("\(start) is too short for an id.", hint: "Write four of its characters at least.")
        }
        var found: [StoredViolation] = []
        var offset = 0
        while found.count < 2 {
            let page = try list(ViolationFilter(), limit: 500, offset: offset)
            found += page.filter { $0.violation.id.uuidString.lowercased().hasPrefix(start.lowercased()) }
            offset += page.count
            if page.count < 500 { break }
        }
        guard let first = found.first else { throw unknown }
        guard found.count == 1 else {
            throw AdvisedError(
                "Several violations begin with \(start).",
                hint: "Write more of it: `checkpost violations --json` has it whole.")
        }
        return first
    }
}

struct OutcomesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what was done, of the newest violation first.",
        discussion: "With a violation: all that was recorded about it, the newest first; the first one holds.")

    @OptionGroup var store: StoreOptions

    @Argument(help: "A violation's id, or how it begins, as `violations` shows it.")
    var violation: String?

    @Option(help: "At most this many violations.")
    var limit = 100

    @Flag(help: "Print one JSON object an outcome, each on one line.")
    var json = false

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is 1 to 100000.") }
    }

    func run() throws {
        let database = try store.openStore()
        let found: [(outcome: Outcome, violation: Violation)]
        if let violation {
            let one = try database.violations.violation(beginning: violation).violation
            found = try database.violations.outcomes(ofViolation: one.id).map { ($0, one) }
        } else {
            found = try database.violations.list(ViolationFilter(hasOutcome: true), limit: limit)
                .compactMap { stored in stored.outcome.map { ($0, stored.violation) } }
        }
        if json { return try found.forEach { try Output.printJSON(ListedOutcome($0.outcome, of: $0.violation)) } }
        guard !found.isEmpty else { return print("No outcome is recorded.") }
        print(TextTable.outcomes(found).text)
    }
}

struct OutcomesRecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record what was done about a violation.",
        discussion: "Example: checkpost outcomes record 3f0c8a11 fined --fine 1,500 --by sita")

    @OptionGroup var store: StoreOptions
    @OptionGroup var ranger: RangerOptions

    @Argument(help: "The violation's id, or how it begins, as `violations` shows it.")
    var violation: String

    @Argument(help: "warned, fined, let_go, not_found (the vehicle wasn't) or other.")
    var kind: Outcome.Kind

    @Option(help: "With fined, and only there: the sum in rupees, as 500, 1,500 or 1500.50.")
    var fine: String?

    @Option(help: "What the warden should know, at most 1000 characters.")
    var notes: String?

    func validate() throws {
        if kind == .fined, fine == nil { throw ValidationError("With fined say how much: --fine 1,500") }
        if kind != .fined, fine != nil { throw ValidationError("--fine is only for fined.") }
    }

    func run() throws {
        try store.asRanger { ranger, store in
            let found = try store.violations.violation(beginning: violation)
            try ranger.recordOutcome(
                of: found.violation.id, kind, fine: fine, notes: notes, seen: nil, by: self.ranger.actor)
            let before = found.outcome.map { " instead of \($0.kind.rawValue) by \($0.recordedBy)" } ?? ""
            print("\(found.violation.plate), \(found.violation.kind.rawValue): \(kind.rawValue)\(before).")
        }
    }
}
