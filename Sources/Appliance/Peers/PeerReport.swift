import Enforcement
import Storage

/// How the link to the other post is, as its part says.
package struct PeerReport: Codable, Equatable, Sendable {
    package enum State: String, Codable, Sendable {
        /// This post is paired with none.
        case unpaired
        /// Nobody knows where the other post is, or it has not been asked yet.
        case waiting
        case connected
        /// It doesn't answer: see the trouble.
        case silent
        /// It answers that it isn't paired with this post.
        case refused
    }

    package var state = State.waiting

    /// The code of the other post.
    package var post: String?
    package var address: String?
    package var trouble: String?
    package var lastHeardAt: Instant?

    /// Words about passages that were taken since the part's start.
    package var taken = 0

    package init() {}

    /// One line.
    package var text: String {
        let place = [post, address.map { "at \($0)" }].compactMap(\.self).joined(separator: " ")
        let parts = [state.rawValue, place, trouble ?? "", "\(Wording.count(taken, "passage")) taken"]
        return "direct link: " + parts.filter { !$0.isEmpty }.joined(separator: ", ")
            + (lastHeardAt.map { ", last heard \($0.nepalText)" } ?? "")
    }
}

/// The same beside what the database knows, for `status`.
package struct PeerFigures: Encodable {
    private let report: PeerReport

    /// Texts of other boxes that wait here for a link to the server.
    private let keptTexts: Int

    enum CodingKeys: String, CodingKey {
        case state, post, address, trouble, taken
        case lastHeardAt = "last_heard_at"
        case keptTexts = "kept_texts"
    }

    /// - Parameter running: what the appliance said last; nil when none runs.
    init(_ running: StatusBoard.Report?, store: Store, configuration: Configuration) throws {
        var report = running?.peer ?? PeerReport()
        if running?.peer == nil {
            let peer = try store.peers.active(of: configuration.otherPostCode)
            (report.post, report.address) = (peer?.code, peer?.addresses.first)
            report.state = peer == nil ? .unpaired : .waiting
        }
        self.report = report
        keptTexts = try store.keptTexts.count()
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(report.state, forKey: .state)
        try container.encodeIfPresent(report.post, forKey: .post)
        try container.encodeIfPresent(report.address, forKey: .address)
        try container.encodeIfPresent(report.trouble, forKey: .trouble)
        try container.encode(report.taken, forKey: .taken)
        try container.encodeIfPresent(report.lastHeardAt?.iso8601, forKey: .lastHeardAt)
        try container.encode(keptTexts, forKey: .keptTexts)
    }

    package var text: String {
        report.text + (keptTexts == 0 ? "" : ", \(Wording.count(keptTexts, "text")) of other boxes kept for the server")
    }
}
