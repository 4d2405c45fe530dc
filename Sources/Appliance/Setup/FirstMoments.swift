import Enforcement
import Foundation

/// Waits for the first signs of life of an appliance that was just started: each camera's first picture, and the first exchange with
/// the server.
package struct FirstMoments: Sendable {
    private let configuration: Configuration
    private let startedAt: Instant
    private let patience: Duration

    /// - Parameter startedAt: what happened before says nothing.
    package init(_ configuration: Configuration, startedAt: Instant, patience: Duration = .seconds(90)) {
        self.configuration = configuration
        self.startedAt = startedAt
        self.patience = patience
    }

    /// - Parameter say: told each sign as it comes, and in the end what is missing.
    /// - Returns: whether all came.
    package func watch(_ say: (String) -> Void) async -> Bool {
        var missing = configuration.cameras.map { "camera.\($0.name)" } + (configuration.server == nil ? [] : ["sync"])
        var last: StatusBoard.Report?
        let deadline = ContinuousClock.now + patience
        while !missing.isEmpty, ContinuousClock.now < deadline {
            if let report = StatusBoard.read(folder: configuration.dataFolder), report.startedAt >= startedAt {
                last = report
                missing.removeAll { name in
                    guard let sign = sign(of: name, in: report) else { return false }
                    say(sign)
                    return true
                }
            }
            if !missing.isEmpty { try? await Task.sleep(for: .milliseconds(250)) }
        }
        for name in missing { say(lack(of: name, in: last)) }
        return missing.isEmpty
    }

    private func sign(of name: String, in report: StatusBoard.Report) -> String? {
        if name == "sync" {
            // A cycle that failed is one, too.
            guard let link = report.link, let cycle = link.lastCycleAt, cycle >= startedAt, link.state == "online",
                link.failure == nil, link.pauseReason == nil
            else { return nil }
            return "The first exchange with the server is done."
        }
        guard let camera = report.cameras.first(where: { "camera.\($0.name)" == name }), camera.frameCount > 0 else {
            return nil
        }
        return "The camera \(camera.name) gave its first picture."
    }

    private func lack(of name: String, in report: StatusBoard.Report?) -> String {
        guard let report else { return "The appliance doesn't come up: journalctl -u checkpost -n 50 says why." }
        if name == "sync" {
            return
                "The server was not reached yet: \(report.link?.failure ?? "no answer"). The box goes on trying; everything "
                + "is recorded meanwhile."
        }
        let camera = report.cameras.first { "camera.\($0.name)" == name }
        let why = camera.map { $0.failure ?? "it is \($0.phase)" } ?? "its part is not up"
        return
            "\(name) gave no picture yet: \(why). Let a vehicle pass, or put a picture into its folder; `checkpost status` "
            + "shows it."
    }
}
