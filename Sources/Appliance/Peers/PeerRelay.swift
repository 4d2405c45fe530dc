import Enforcement
import Foundation
import Logging
import MachineClock
import PeerLink
import Storage
import Synchronization

/// The way to the server that this box lends to the other post and to its guests while they have no link of their own. It leads to this
/// box's own server and nowhere else, and the data counts as this box's.
final class PeerRelay: Sendable {
    private static let longestWait = TimeSpan.seconds(5)
    private static let longestName = 64

    /// What has not been counted yet is written down at this size.
    private static let countAt = Int64(64 << 10)

    /// A box that was stolen and is still paired may want more than any road has.
    private static let bytesADay = 32 << 20

    /// To all of them together.
    private static let bytesADayToAll = 128 << 20

    /// Opening a connection costs the link about this.
    private static let bytesOfOpening = Int64(4 << 10)

    /// Connections at once.
    private static let mostConnections = 16

    /// After a pause of this length it is said in the log that data is lent.
    private static let pause = TimeSpan.hours(1)

    private struct Lent {
        /// Of each key; it goes with the part.
        var boxes: [PeerKey: (allowance: Allowance, lastAt: Instant?)] = [:]
        var all = Allowance(atOnce: bytesADayToAll, perSecond: Double(bytesADayToAll) / 86_400)
        var uncounted = DataUse()
    }

    private let connections: RelayConnections?
    private let place: ServerPlace?
    private let store: Store
    private let log: Logger
    private let lent = Mutex(Lent())

    /// - Parameter place: nil where nothing is relayed.
    init(to place: ServerPlace?, store: Store, log: Logger) {
        (self.place, self.store, self.log) = (place, store, log)
        connections = place.map {
            RelayConnections(host: $0.host, port: $0.port, most: Self.mostConnections) { MachineClock.uptime }
        }
    }

    /// Whether there is a way to lend. Without TLS this box would read what goes over it.
    var isLent: Bool { place?.isSealed == true }

    func reply(to piece: RelayQuestion, of key: PeerKey) async throws -> RelayReply {
        guard let connections, let place else {
            return .none("it has no server of its own, or lends nobody its way there (peer.relay)")
        }
        guard mayLend(to: key) else { return .none("it has lent as much data as it does in a day") }
        guard piece.connection.count <= Self.longestName else { return .none("the question makes no sense") }
        let name = "\(key) \(piece.connection)"
        guard !piece.isOver else {
            connections.close(name)
            count(DataUse(), of: key, isOver: true)
            return RelayReply(isOver: true)
        }
        if piece.isFirst {
            count(DataUse(sent: Self.bytesOfOpening / 2, received: Self.bytesOfOpening / 2), of: key, isOver: false)
            do { try await connections.open(name, of: "\(key)") } catch {
                return .none("it can't reach \(place.host) either")
            }
        }
        let wait = min(.milliseconds(Int64(max(0, piece.waitMilliseconds))), Self.longestWait)
        guard let came = try await connections.exchange(name, piece.bytes, wait: wait) else {
            return .none("the connection is over")
        }
        count(DataUse(sent: Int64(piece.bytes.count), received: Int64(came.bytes.count)), of: key, isOver: came.isOver)
        return RelayReply(bytes: came.bytes, isOver: came.isOver)
    }

    private func mayLend(to key: PeerKey) -> Bool {
        let now = MachineClock.uptime
        let (may, isNews) = lent.withLock { lent in
            var box = lent.boxes[key] ?? (Self.allowance, nil)
            defer { lent.boxes[key] = (box.allowance, now) }
            let may = box.allowance.take(0, at: now) && lent.all.take(0, at: now)
            return (may, box.lastAt.map { now - $0 > Self.pause } ?? true)
        }
        if isNews {
            log.notice("another box's records go over this box's link to the server", metadata: ["key": "\(key)"])
        }
        return may
    }

    private static let allowance = Allowance(atOnce: bytesADay, perSecond: Double(bytesADay) / 86_400)

    private func count(_ use: DataUse, of key: PeerKey, isOver: Bool) {
        let due = lent.withLock { lent -> DataUse? in
            lent.boxes[key]?.allowance.take(Int(use.total), at: MachineClock.uptime)
            lent.all.take(Int(use.total), at: MachineClock.uptime)
            lent.uncounted.sent += use.sent
            lent.uncounted.received += use.received
            guard isOver || lent.uncounted.total >= Self.countAt else { return nil }
            defer { lent.uncounted = DataUse() }
            return lent.uncounted
        }
        guard let due else { return }
        do { try store.dataUse.add(due, at: BoxClock.now) } catch {
            lent.withLock {
                $0.uncounted.sent += due.sent
                $0.uncounted.received += due.received
            }
            log.error("what went through for another box can't be counted", metadata: ["error": "\(error)"])
        }
    }
}
