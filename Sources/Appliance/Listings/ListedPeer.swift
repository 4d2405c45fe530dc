import Enforcement
import Storage

/// Another post, as programs get it.
package struct ListedPeer: Encodable {
    private let post: String
    private let kind: Peer.Kind
    private let status: String
    private let address: String?
    private let key: String
    private let pairedAt: Instant
    private let revokedAt: Instant?

    enum CodingKeys: String, CodingKey {
        case post, kind, status, address, key
        case pairedAt = "paired_at"
        case revokedAt = "revoked_at"
    }

    package init(_ peer: Peer) {
        (post, status, address, key) = (peer.code, peer.status.rawValue, peer.addresses.first, peer.publicKey)
        kind = peer.kind
        (pairedAt, revokedAt) = (peer.pairedAt, peer.revokedAt)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(post, forKey: .post)
        try container.encode(kind.rawValue, forKey: .kind)
        try container.encode(status, forKey: .status)
        try container.encodeIfPresent(address, forKey: .address)
        try container.encode(key, forKey: .key)
        try container.encode(pairedAt.iso8601, forKey: .pairedAt)
        try container.encodeIfPresent(revokedAt?.iso8601, forKey: .revokedAt)
    }

    private var role: String {
        switch kind {
        case .post: ""
        case .hub: "a hub, lends this box its link, "
        case .guest: "is lent this box's link, "
        }
    }

    /// One line.
    package var text: String {
        let end = revokedAt.map { "taken back \($0.nepalText)" } ?? address.map { "at \($0)" } ?? "address unknown"
        return LogText.of(
            "\(post): \(role)\(status), \(end), paired \(pairedAt.nepalText), key \(key.prefix(16))…", limit: 500)
    }
}
