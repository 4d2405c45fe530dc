import Enforcement
import Logging
import MachineClock
import ParkAPI
import PeerLink
import Storage
import Synchronization

/// Keeps signed texts of the other post and of guests while neither they nor this box have a link, for the server.
final class PeerMailbox: Sendable {
    /// Of one box: no road has as many vehicles, and each costs this box's link.
    private static let mostADay = 1000

    /// Whether there is a server to hand them to, and this box lends its way there.
    let isOpen: Bool
    let store: Store
    let log: Logger
    private let allowances = Mutex<[PeerKey: Allowance]>([:])

    init(isOpen: Bool, store: Store, log: Logger) { (self.isOpen, self.store, self.log) = (isOpen, store, log) }

    /// What it says to a text. One without a text asks whether it keeps any.
    func reply(to question: TextQuestion, of key: PeerKey, at now: Instant) throws -> TextReply {
        guard isOpen else {
            return .none("it has no server of its own, or lends nobody its way there (peer.relay)")
        }
        guard let text = question.text else { return TextReply(isKept: false) }
        // What it says is the server's affair; what is no text of a post is kept for nobody.
        do throws(SMSFormatError) { _ = try SignedSMSDecoder.readUnchecked(text) } catch {
            return .none("it is no signed text: \(error.description)")
        }
        let mayGive = allowances.withLock { known in
            known[key, default: Allowance(atOnce: Self.mostADay, perSecond: Double(Self.mostADay) / 86_400)]
                .take(at: MachineClock.uptime)
        }
        guard mayGive else { return .none("it has taken as many texts of this box as it does in a day") }
        switch try store.keptTexts.keep(SMSDecoder.trimmed(text), of: key.description, at: now) {
        case .kept:
            log.notice("keeps a text of another box for the server", metadata: ["key": "\(key)"])
            return TextReply(isKept: true)
        case .full: return .none("it keeps as many texts as it does")
        }
    }
}
