import Enforcement

/// The direct link to the other post, as the technician's page shows it.
package struct PeerStanding: Sendable, Equatable {
    /// `unpaired`, `waiting`, `connected`, `silent`, `refused`.
    package var state: String

    /// The other post's code, and where it is asked.
    package var post: String?
    package var address: String?
    package var lastHeardAt: Instant?

    /// Where the other post may reach this box.
    package var own: [String] = []

    package init(state: String, post: String? = nil, address: String? = nil, lastHeardAt: Instant? = nil) {
        (self.state, self.post, self.address, self.lastHeardAt) = (state, post, address, lastHeardAt)
    }
}

/// What came of typing another post's address and code.
package enum PeerJoining: Sendable, Equatable {
    case paired
    case badAddress
    case badCode
    /// In the other post's words, or those of the link.
    case refused(String)
}
