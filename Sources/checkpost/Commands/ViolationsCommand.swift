import Appliance
import ArgumentParser
import Enforcement
import Storage

struct ViolationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "violations", abstract: "List violations, the newest first.",
        discussion: "Provisional ones were found here; the server has not judged them yet.")

    @OptionGroup var store: StoreOptions
    @OptionGroup var days: DayOptions

    @Option(help: "Only speeding, or only overstay.")
    var kind: Violation.Kind?

    @Option(help: "Only plates with this part.")
    var plate: String?

    @Flag(help: "Only those without an outcome.")
    var open = false

    @Option(help: "At most this many.")
    var limit = 100

    @Flag(help: "Print one JSON object a violation, each on one line.")
    var json = false

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is 1 to 100000.") }
    }

    func run() throws {
        let span = try days.span()
        let filter = ViolationFilter(
            from: span.from, until: span.until, kind: kind,
            platePart: plate.map { PlateNormalizer.normalize($0)?.compact ?? $0 }, hasOutcome: open ? false : nil)
        let violations = try store.openStore().violations.list(filter, limit: limit)
        if json { return try violations.forEach { try Output.printJSON(ListedViolation($0)) } }
        print(violations.isEmpty ? "No violation." : TextTable.violations(violations).text)
    }
}

extension Violation.Kind: ExpressibleByArgument {}
