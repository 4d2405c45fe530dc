import Enforcement
import Storage

/// Holds against each other what two posts go by, and says where they differ.
struct PeerComparison {
    private let alarms: AlarmBoard
    private let differsFor: TimeSpan

    /// Whether nothing is taken, since one of the two clocks is wrong.
    private(set) var isApart = false

    /// On the time since the machine started.
    private var differsSince: Instant?

    init(of settings: Configuration.PeerSettings, _ alarms: AlarmBoard) {
        (self.alarms, differsFor) = (alarms, settings.silentAfter)
    }

    /// What the other post tells is taken when the two clocks agree: until then it would make speeds that nobody drove.
    ///
    /// - Parameters:
    ///   - now: what this box's clock shows.
    ///   - took: from question to answer.
    /// - Returns: what is wrong; nil where the clocks may agree.
    mutating func compareClocks(_ terms: PeerTerms?, at now: Instant, took: TimeSpan) -> String? {
        let apart = terms?.clocks(at: now, took: took)?.apart
        if isApart, apart == nil { alarms.clear("peer.clock") }
        isApart = apart != nil
        guard let apart else { return nil }
        let span = Wording.span(.milliseconds(abs(apart.milliseconds)))
        let words = "this box's clock is \(span) \(apart.milliseconds > 0 ? "ahead of" : "behind") the other post's"
        alarms.raise(
            "peer.clock", .warning, "One of the two posts' clocks is wrong: \(words).",
            hint: "What the other post tells waits until they agree. Look at `timedatectl` at both. \(PeerLoop.others)")
        return words
    }

    /// The pairing is over, or with another box: what was said of the one before is so no more.
    mutating func begin() {
        if isApart { alarms.clear("peer.clock") }
        if differsSince != nil { alarms.clear("peer.road") }
        (isApart, differsSince) = (false, nil)
    }

    /// Each post judges by its own road. For some minutes the server may have told one of them alone that it changed.
    mutating func compareRoad(_ own: RoadTerms, with terms: PeerTerms?, at uptime: Instant) {
        let differences = terms.map { own.differences(from: $0.road) } ?? []
        guard !differences.isEmpty else {
            if differsSince != nil { alarms.clear("peer.road") }
            return differsSince = nil
        }
        let since = differsSince ?? uptime
        differsSince = since
        guard uptime - since >= differsFor else { return }
        alarms.raise(
            "peer.road", .warning,
            "The two posts don't say the same of their road: \(differences.joined(separator: ", ")).",
            hint:
                "One of them judges wrongly. Put the same into the configuration of both, or at the server, which tells both."
        )
    }
}

extension RoadTerms {
    /// As this post judges now.
    init(_ store: Store, _ configuration: Configuration) throws {
        try self.init(
            MatchingService(store: store, configuration: configuration).segment(),
            position: configuration.post.positionIndex)
    }
}
