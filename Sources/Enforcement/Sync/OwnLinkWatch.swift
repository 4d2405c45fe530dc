/// Tells when a person is to hear that the box's own link is down though the server is reached: through another box all seems well, and
/// photos wait for weeks.
///
/// `now` comes from a clock that only runs forward.
package struct OwnLinkWatch: Sendable, Equatable {
    package enum Change: Sendable, Equatable { case isDown, isBack }

    /// A link that is gone for a moment is nobody's matter.
    static let patience = TimeSpan.minutes(10)

    private var since: Instant?
    /// nil at first: an earlier run may have told it.
    private var isTold: Bool?

    package init() {}

    /// - Parameters:
    ///   - isOnline: whether the server is reached at all; while it isn't, nothing is known of the own link that isn't said anyway.
    ///   - isThroughPeer: whether the last request came through by way of the other post.
    package mutating func look(isOnline: Bool, isThroughPeer: Bool, at now: Instant) -> Change? {
        guard isOnline else { return nil }
        guard isThroughPeer else {
            since = nil
            defer { isTold = false }
            return isTold == false ? nil : .isBack
        }
        let began = since ?? now
        since = began
        guard isTold != true, now - began >= Self.patience else { return nil }
        isTold = true
        return .isDown
    }
}
