import Enforcement

extension SelfTest {
    /// A device that is there says so every ten seconds, and when it is asked.
    private static let patience = TimeSpan.seconds(12)

    func trigger() -> SelfTestFinding {
        guard configuration.trigger != nil else {
            return SelfTestFinding("trigger", .absent, "No loop or radar is configured.")
        }
        let hint =
            "Look at its power, its cable and [trigger] in the configuration; `checkpost trigger test` shows what comes."
        if let report = running?.trigger {
            return SelfTestFinding(
                "trigger", report.state == .connected ? .passed : .failed, "It is \(report.text).",
                hint: report.state == .connected ? nil : hint)
        }
        do {
            var last = ""
            let isHeard = try TriggerTest(configuration).listen(for: Self.patience, untilFirst: true) { last = $0 }
            return SelfTestFinding(
                "trigger", isHeard ? .passed : .failed, isHeard ? "It is heard: \(last)." : last,
                hint: isHeard ? nil : hint)
        } catch {
            return SelfTestFinding(
                "trigger", .failed, (error as? AdvisedError)?.message ?? "\(error)", hint: hint)
        }
    }
}
