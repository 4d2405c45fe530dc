import Appliance
import ArgumentParser

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say how the appliance is, and what is wrong.",
        discussion:
            """
            Exits with 1 when something needs a person at once: a mistake, a critical alarm, nothing running, or a part that \
            recording needs and that is down or says nothing.
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let report = StatusReport.gather(store.place) { try StoreOptions.openStore(at: $0) }
        if json { try Output.printJSON(report) } else { print(report.text) }
        if report.problems.contains(where: { $0.severity == "critical" }) { throw ExitCode(1) }
    }
}
