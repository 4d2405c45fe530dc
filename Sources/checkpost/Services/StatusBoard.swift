import Capture
import Enforcement
import Foundation
import Synchronizer

/// What a running appliance says about itself, in a file beside the database: `status` reads it.
///
/// It is written anew every few seconds and never needed: a full disk costs nothing but its news.
actor StatusBoard {
    struct Report: Codable {
        struct Camera: Codable {
            let name: String
            let phase: String
            let failure: String?
            let frameCount: Int
            let droppedCount: Int
            let unreadableCount: Int
            let lastFrameAt: Instant?

            enum CodingKeys: String, CodingKey {
                case name, phase, failure
                case frameCount = "frames"
                case droppedCount = "dropped"
                case unreadableCount = "unreadable"
                case lastFrameAt = "last_frame_at_ms"
            }
        }

        let pid: Int32
        let version: String
        let startedAt: Instant
        let updatedAt: Instant
        let cameras: [Camera]

        /// Nil without a server.
        let link: LinkReport?

        /// Nil without a modem.
        let sms: SMSReport?

        enum CodingKeys: String, CodingKey {
            case pid, version
            case startedAt = "started_at_ms"
            case updatedAt = "updated_at_ms"
            case cameras, link, sms
        }
    }

    private let path: String
    private let startedAt = BoxClock.now
    private var sources: [SupervisedSource] = []
    private let sync: SyncService?
    private var sms: SMSFallback?

    init(folder: String, sync: SyncService? = nil) {
        path = Self.path(folder)
        self.sync = sync
    }

    func add(_ source: SupervisedSource) {
        sources.append(source)
    }

    func add(_ fallback: SMSFallback) {
        sms = fallback
    }

    /// Nil without SMS.
    var smsReport: SMSReport? { get async { await sms?.report } }

    var cameras: [Report.Camera] {
        sources.map { source in
            let status = source.status
            return Report.Camera(
                name: status.camera, phase: status.phase.rawValue, failure: status.failure?.description,
                frameCount: status.frameCount, droppedCount: status.droppedCount,
                unreadableCount: status.unreadableCount, lastFrameAt: status.lastFrameAt)
        }
    }

    func write() async {
        let report = Report(
            pid: getpid(), version: Version.text, startedAt: startedAt, updatedAt: BoxClock.now, cameras: cameras,
            link: (sync?.state).map(LinkReport.init), sms: await sms?.report)
        try? JSONEncoder.sorted.encode(report).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    static func read(folder: String) -> Report? {
        FileManager.default.contents(atPath: path(folder)).flatMap { try? JSONDecoder().decode(Report.self, from: $0) }
    }

    private static func path(_ folder: String) -> String { folder + "/run.json" }
}
