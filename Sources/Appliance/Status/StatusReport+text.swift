import Enforcement
import Storage

extension StatusReport {
    private func syncLines(_ figures: Figures) -> [String] {
        if hasServer == nil { return ["server: unknown, since the configuration can't be read"] }
        guard let sync else {
            let waiting = figures.queue["pending"] ?? 0
            return ["no server is configured" + (waiting > 0 ? ": \(waiting) records wait for one" : "")]
        }
        let now = BoxClock.now
        let last = sync.lastSuccessAt.map { "last answer \($0.nepalText) (\(Wording.span(now - $0)) ago)" }
        return [
            "server: " + (running?.link?.text(at: now) ?? last ?? "not reached yet"),
            "sync queue: \(sync.queueText)",
            "data: \(sync.dataText)",
            sync.lastRun.map { "last sync \($0.finishedAt.nepalText): \($0.text)" } ?? "",
        ]
    }

    package var text: String {
        var lines = ["checkpost \(version)" + (post.map { " at \($0)" } ?? "")]
        if let running {
            let hadClock = running.startedAt >= ClockState.earliest
            lines.append(
                "running" + (hadClock ? " since \(running.startedAt.nepalText)" : ", started without the time of day")
                    + " (process \(running.pid))")
            lines.append("parts: " + running.parts.map(\.text).joined(separator: ", "))
            for camera in running.cameras {
                let last = camera.lastFrameAt.map { ", last picture \($0.nepalText)" } ?? ""
                lines.append(
                    "camera \(camera.name): \(camera.phase), \(camera.frameCount) frames, \(camera.droppedCount) dropped, "
                        + "\(camera.unreadableCount) unreadable\(last)")
            }
        }
        if let road { lines.append(road.text) }
        if let figures {
            lines.append(
                "passages: \(figures.passages), today \(figures.passagesToday)"
                    + (figures.lastPassageAt.flatMap(Instant.init(iso8601:)).map { ", last \($0.nepalText)" } ?? ""))
            lines.append(
                "violations today: \(figures.violationsToday), overstay alerts: \(figures.openOverstayAlerts), "
                    + "waiting for review: \(figures.waitingForReview)")
            if let last = figures.unreadable.first {
                lines.append(
                    "unreadable pictures today: \(figures.unreadableToday), the last: "
                        + [last.file, last.reason].compactMap(\.self).joined(separator: ": "))
            }
            lines += syncLines(figures)
            lines.append(
                "disk: database \(Wording.bytes(figures.databaseBytes)), \(figures.photos) photos "
                    + "\(Wording.bytes(figures.photoBytes))" + (freeBytes.map { ", \(Wording.bytes($0)) free" } ?? ""))
        }
        if let figures, makesBackups || figures.lastBackupAt != nil {
            lines.append(
                "last good backup: " + (figures.lastBackupAt.flatMap(Instant.init(iso8601:))?.nepalText ?? "none yet"))
        }
        if let removed = figures?.removed, !removed.isEmpty {
            let kinds = removed.sorted { $0.key < $1.key }.map {
                "\($0.value.count) of \($0.key)" + ($0.value.bytes > 0 ? " (\(Wording.bytes($0.value.bytes)))" : "")
            }
            lines.append("removed in 30 days: " + kinds.joined(separator: ", "))
        }
        if let sms { lines.append(sms.text) }
        if let trigger { lines.append(trigger.text) }
        if let peer { lines.append(peer.text) }
        let isApart = running?.link.map { $0.offlineSince != nil } ?? false
        let well = isApart ? "Nothing needs you: the server is out of reach, and is tried again." : "All is well."
        lines.append(problems.isEmpty ? well : "")
        for problem in problems {
            // A mistake in a file is told in several lines.
            let message = problem.message.split(whereSeparator: \.isNewline).map {
                $0.trimmingPrefix(while: \.isWhitespace)
            }
            lines.append(
                "\(problem.severity.uppercased()): \(message.joined(separator: " "))"
                    + (problem.hint.map { " \($0)" } ?? ""))
        }
        // Names of files and answers of servers are in it: nothing of them may steer the terminal.
        return lines.filter { !$0.isEmpty }.map { LogText.of($0, limit: 2000) }.joined(separator: "\n")
    }
}
