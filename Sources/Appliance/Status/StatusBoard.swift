import Enforcement
import Foundation
import MachineClock
import Storage

/// What a running appliance says about itself: the supervisor's news and those of all parts, put together.
package enum StatusBoard {
    package struct Report: Encodable {
        package struct Part: Encodable {
            package let name: String
            package let state: String
            let pid: Int32?
            let upSeconds: Double
            package let ends: Int
            package let reason: String?
            let residentBytes: Int?

            /// How old what it says of itself is; nil before it has said anything.
            let newsAgeSeconds: Double?

            enum CodingKeys: String, CodingKey {
                case name, state, pid, ends, reason
                case upSeconds = "up_seconds"
                case residentBytes = "resident_bytes"
                case newsAgeSeconds = "news_age_seconds"
            }

            /// `sync up (2 s ago, 96 MB)`.
            package var text: String {
                let age = newsAgeSeconds.map { "\(Wording.span(.seconds($0))) ago" }
                let memory = residentBytes.map { Wording.bytes($0) }
                let more = [age, memory].compactMap(\.self).joined(separator: ", ")
                return "\(name) \(state)" + (more.isEmpty ? "" : " (\(more))")
            }
        }

        let pid: Int32
        package let version: String
        package let startedAt: Instant
        let updatedAt: Instant
        let cameras: [PartNews.Camera]

        /// Nil without a server.
        package let link: LinkReport?

        /// Nil without a modem.
        package let sms: SMSReport?

        /// Nil without a trigger. It is told beside what is counted of it.
        let trigger: TriggerReport?

        /// Nil without a direct link, which is told beside it.
        let peer: PeerReport?
        package let parts: [Part]
        package let problems: [StatusReport.Problem]

        enum CodingKeys: String, CodingKey {
            case pid, version
            case startedAt = "started_at"
            case updatedAt = "updated_at"
            case cameras, link, sms, parts
        }
    }

    /// - Returns: nil when nothing has run here.
    package static func read(folder: String) -> Report? {
        let folder = RunFolder(dataFolder: folder)
        guard let supervisor = SupervisorNews.read(in: folder) else { return nil }
        let now = MachineClock.uptime
        let parts = supervisor.parts.compactMap { line in
            Part(name: line.name).map { (line: line, part: $0, news: PartNews.read(of: $0, in: folder)) }
        }
        var problems: [StatusReport.Problem] = []
        let silence = now - supervisor.uptime
        // What it says of itself is on the same disk. A restart would make no room.
        let isMute = DiskRoom.isFull(folder: folder.path)
        if silence > PartNews.oldAfter, isMute {
            problems.append(
                .init(
                    name: "appliance.silent", severity: "warning",
                    message: "On the full disk the box can't write down how it is: what is shown is "
                        + "\(Wording.span(silence)) old.",
                    hint: "It records what it can meanwhile, and goes on by itself when there is room."))
        } else if silence > PartNews.oldAfter {
            problems.append(
                .init(
                    name: "appliance.silent", severity: "critical",
                    message: "The appliance has said nothing for \(Wording.span(silence)).",
                    hint: "What is shown is as old. Restart it: systemctl restart checkpost."))
        }
        problems += Self.databaseProblems(in: folder)
        problems += parts.flatMap { part in
            // Why it is silent is told once, and by its name.
            let waits = DatabaseTrouble.read(of: part.part, in: folder, at: now) != nil
            return Self.problems(part.line, part.part, age: isMute || waits ? .seconds(0) : part.news?.age(at: now))
        }
        problems += parts.compactMap { $0.news?.link?.storeFailure }.map { failure in
            .init(
                name: "sync.database", severity: "warning",
                message: "The synchronization can't use the database: \(failure)",
                hint: "It is tried again by itself. When it stays, look at the disk: df, dmesg.")
        }
        return Report(
            pid: supervisor.pid, version: supervisor.version, startedAt: supervisor.startedAt,
            updatedAt: supervisor.updatedAt, cameras: parts.compactMap(\.news?.camera),
            link: parts.compactMap(\.news?.link).first, sms: parts.compactMap(\.news?.sms).first,
            trigger: parts.compactMap(\.news?.trigger).first, peer: parts.compactMap(\.news?.peer).first,
            parts: parts.map { part in
                Report.Part(
                    name: part.line.name, state: part.line.state, pid: part.line.pid, upSeconds: part.line.upSeconds,
                    ends: part.line.ends, reason: part.line.reason, residentBytes: part.line.residentBytes,
                    newsAgeSeconds: part.news?.age(at: now).seconds)
            }, problems: problems)
    }

    /// Why the database can't be used now. A full disk is told by itself.
    static func databaseProblems(in folder: RunFolder) -> [StatusReport.Problem] {
        guard let supervisor = SupervisorNews.read(in: folder) else { return [] }
        let parts = supervisor.parts.compactMap { Enforcement.Part(name: $0.name) }
        let database = folder.dataFolder + "/checkpost.sqlite"
        let ours = Set(supervisor.parts.compactMap(\.pid) + [supervisor.pid, getpid()])
        return DatabaseTrouble.all(of: parts, in: folder).filter { $0.fault != .full }.map { trouble in
            let holders = trouble.fault == .locked ? LockHolders.names(of: database, besides: ours) : []
            return StatusReport.Problem(
                name: trouble.name, severity: "critical", since: trouble.since,
                message: trouble.message(database: database, holders: holders), hint: trouble.hint(database: database))
        }
    }

    /// What a person is to know of a part: that it doesn't stay up, that it is late, that it is only coming up.
    private static func problems(
        _ line: SupervisorNews.Line, _ part: Enforcement.Part, age: TimeSpan?
    ) -> [StatusReport.Problem] {
        var problems: [StatusReport.Problem] = []
        if let alarm = line.alarm {
            let isDown = line.state != "up" && part.isEssential
            problems.append(
                .init(
                    name: alarm.key, severity: alarm.isCritical || isDown ? "critical" : "warning",
                    message: alarm.message,
                    hint: alarm.hint))
        } else if line.state != "up" {
            let isLate = line.upSeconds > PartNews.oldAfter.seconds
            problems.append(
                .init(
                    name: "part.\(part.name)",
                    severity: isLate ? (part.isEssential ? "critical" : "warning") : "notice",
                    message: "The part \(part.name), \(part.title), is \(line.state).", hint: nil))
        }
        guard line.state == "up", age.map({ $0 > PartNews.oldAfter }) ?? (line.upSeconds > PartNews.oldAfter.seconds)
        else { return problems }
        let silence = age.map { "has said nothing for \(Wording.span($0))" } ?? "has not said anything yet"
        problems.append(
            .init(
                name: "part.\(part.name).silent", severity: part.isEssential ? "critical" : "warning",
                message: "The part \(part.name), \(part.title), \(silence).",
                hint: "What is shown of it is as old. It is started again by itself when it hangs."))
        return problems
    }
}
