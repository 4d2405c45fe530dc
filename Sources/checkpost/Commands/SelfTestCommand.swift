import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Storage

struct SelfTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "self-test", abstract: "Try what the box needs, and say what passed, failed or isn't there.",
        discussion: """
            Tries each camera, the reading of a known picture, the database and its disk, memory, temperature, clock, modem with \
            its SIM, loop or radar, server and sound. What a running appliance holds is asked of it. As root it is tried with the rights of the \
            service's user. Exits with 1 when something failed; each failure says what to do.

            Examples: checkpost self-test
                      checkpost self-test --only plate --only clock
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp("Only this check, such as camera.gate, plate or clock; may be repeated.", valueName: "check")
    )
    var only: [String] = []

    @Flag(help: "Without cameras, modem, loop or radar, server and sound: what is done at boot.")
    var short = false

    @Flag(help: "Raise an alarm for what failed and clear those of what passed.")
    var alarms = false

    @Flag(help: "Print one JSON object a check, each on one line.")
    var json = false

    // For setup, which tries what is not written yet.
    @Flag(help: .hidden) var direct = false
    @Flag(help: .hidden) var picture = false
    @Option(help: .hidden) var serviceUser = ServiceUser.usualName

    func run() async throws {
        // A configuration elsewhere is somebody's own, not the service's.
        if store.config == nil || direct { try ServiceUser(named: serviceUser)?.become() }
        var configuration = try store.configuration()
        if store.database != nil { configuration.dataFolder = try store.dataFolder() }
        let width = Output.terminalWidth
        let show: @Sendable (CameraTest.Report) -> Void = { report in print(report.text(columns: width)) }
        let test = SelfTest(
            configuration, only: only.isEmpty ? nil : Set(only), isShort: short, isDirect: direct,
            showPicture: picture ? show : nil)
        if let stranger = only.first(where: { !test.checks.contains($0) }) {
            throw AdvisedError(
                "There is no check \(stranger).", hint: "There are \(test.checks.joined(separator: ", ")).")
        }
        var findings: [SelfTestFinding] = []
        await test.run { finding in
            findings.append(finding)
            if json { try? Output.printJSON(finding) } else { print(finding.text) }
            fflush(nil)
        }
        if alarms { try tell(findings) }
        let failed = findings.filter { $0.outcome == .failed }
        guard !failed.isEmpty else { return }
        let outcome: SetupTrial.Outcome = direct && failed.allSatisfy(\.isOutOfReach) ? .outOfReach : .failed
        throw ExitCode(outcome.rawValue)
    }

    private func tell(_ findings: [SelfTestFinding]) throws {
        let database = try store.openStore()
        // The appliance itself watches clock and disk: one alarm is enough.
        for finding in findings where !["clock", "disk"].contains(finding.check) {
            let key = "self-test.\(finding.check)"
            if finding.outcome == .failed {
                _ = try database.alarms.raise(
                    key, .warning, "The self-test of \(finding.check) failed: \(finding.detail)", hint: finding.hint,
                    at: BoxClock.now)
            } else {
                _ = try database.alarms.clear(key, at: BoxClock.now)
            }
        }
    }
}
