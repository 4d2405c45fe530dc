import Enforcement
import PeerLink
import Storage

/// The key that this box is known by.
struct PeerKeeper {
    private let file: PeerKeyFile

    init(_ store: Store) { file = store.peerKey }

    /// - Throws: `AdvisedError` where there is none, or it can't be used.
    func identity() throws -> PeerIdentity {
        switch file.read() {
        case .key(let raw):
            if let identity = PeerIdentity(raw: raw) { return identity }
            throw unusable("it is no key")
        case .absent:
            throw AdvisedError(
                "This box has no key for the other post yet.",
                hint: "A box that runs with [peer] in its configuration makes one: systemctl restart checkpost.")
        case .unusable(let reason): throw unusable(reason)
        }
    }

    /// Makes a key where there is none.
    func prepare() throws {
        if file.read() == .absent { try file.keep(PeerIdentity().raw) }
    }

    private func unusable(_ reason: String) -> AdvisedError {
        AdvisedError(
            "The key for the other post, \(file.file.path), can't be used: \(reason).",
            hint: "Remove the file; a new key is made, and the posts are paired anew: checkpost peer pair.")
    }
}
