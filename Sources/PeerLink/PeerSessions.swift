import Enforcement
import Foundation
import Synchronization

/// The conversations that a listener holds: few, and none for long, so that keys change.
final class PeerSessions: Sendable {
    private struct Held {
        let channel: PeerChannel
        let peer: PeerKey
        let beganAt: Instant
        var counter: UInt64 = 0
        var usedAt: Instant
        var isUsed: Bool { counter > 0 }
    }

    /// A conversation is begun anew after so long.
    static let longest = TimeSpan.hours(1)

    /// Those that nobody has used yet: a greeting that is recorded and played back makes one, and nobody can use it.
    static let mostUnused = 16

    /// Of one peer.
    static let mostUsed = 4

    private let held = Mutex([Data: Held]())
    private let now: @Sendable () -> Instant

    /// - Parameter now: the time since the machine started.
    init(now: @escaping @Sendable () -> Instant) { self.now = now }

    func add(_ channel: PeerChannel, of peer: PeerKey) {
        let now = now()
        held.withLock { held in
            held = held.filter { now - $0.value.beganAt < Self.longest }
            let unused = held.filter { !$0.value.isUsed }
            if unused.count >= Self.mostUnused, let oldest = unused.min(by: { $0.value.beganAt < $1.value.beganAt }) {
                held[oldest.key] = nil
            }
            held[channel.session] = Held(channel: channel, peer: peer, beganAt: now, usedAt: now)
        }
    }

    /// What was asked, and by whom; nil when nobody asked it here, or it was asked before.
    func open(_ sealed: Data, session: Data) -> (question: Data, channel: PeerChannel, counter: UInt64, peer: PeerKey)?
    {
        let now = now()
        return held.withLock { held in
            guard let entry = held[session], now - entry.beganAt < Self.longest,
                let counter = PeerChannel.counter(of: sealed), counter > entry.counter,
                let question = try? entry.channel.open(sealed, counter, as: .question)
            else { return nil }
            // A peer has a few at a time: one for the news, one for pictures, one on the way to the server. The oldest gives way.
            if !entry.isUsed {
                let others = held.filter { $0.value.peer == entry.peer && $0.value.isUsed }
                if others.count >= Self.mostUsed, let oldest = others.min(by: { $0.value.usedAt < $1.value.usedAt }) {
                    held[oldest.key] = nil
                }
            }
            held[session] = entry
            held[session]?.counter = counter
            held[session]?.usedAt = now
            return (question, entry.channel, counter, entry.peer)
        }
    }
}
