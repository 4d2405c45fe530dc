import Enforcement
import Foundation
import Logging
import MachineClock
import PeerLink
import Storage
import Synchronization

/// A piece of what one post sends to the park's server through another: as the bytes of a connection, which stay a secret between the box
/// and the server where that has TLS.
struct RelayQuestion: Codable, Equatable {
    /// Of the asker's connections; it makes the name up.
    var connection: String

    /// Whether the connection begins with this piece.
    var isFirst = false
    var bytes = Data()

    /// The answer may wait so long for something to come.
    var waitMilliseconds = 0
    var isOver = false
}

struct RelayReply: Codable, Equatable {
    var bytes = Data()
    var isOver = false

    /// Why there is no way there.
    var trouble: String?

    static func none(_ trouble: String) -> RelayReply { RelayReply(isOver: true, trouble: trouble) }
}

/// Where a server listens.
struct ServerPlace: Equatable {
    var host: String
    var port: Int

    /// Whether nobody on the way can read or change what is said: by TLS, or since it is this machine.
    var isSealed: Bool

    /// - Parameter url: `https://park.example.org`.
    init?(url: String) {
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty else { return nil }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? (parts.scheme == "http" ? 80 : 443)
        isSealed = parts.scheme == "https" || ["127.0.0.1", "::1", "localhost"].contains(self.host)
    }
}

/// The way to the server that this post lends to the other one while that has no link of its own. It leads to this box's own server and
/// nowhere else, and the data counts as this box's.
final class PeerRelay: Sendable {
    private static let longestWait = TimeSpan.seconds(5)
    private static let longestName = 64

    /// What has not been counted yet is written down at this size.
    private static let countAt = Int64(64 << 10)

    private let connections: RelayConnections?
    private let place: ServerPlace?
    private let store: Store
    private let log: Logger
    private let uncounted = Mutex(DataUse())

    /// In 24 hours: a box that was stolen and is still paired may want more than any road has.
    private static let mostBytesADay = 32 << 20
    private static let day = TimeSpan.hours(24)
    private let lent = Mutex((since: Instant?.none, bytes: 0))

    /// - Parameter place: nil where nothing is relayed.
    init(to place: ServerPlace?, store: Store, log: Logger) {
        (self.place, self.store, self.log) = (place, store, log)
        connections = place.map { RelayConnections(host: $0.host, port: $0.port) { MachineClock.uptime } }
    }

    func reply(to piece: RelayQuestion, of key: PeerKey) async throws -> RelayReply {
        guard let connections, let place else {
            return .none("it has no server of its own, or lends nobody its way there (peer.relay)")
        }
        guard mayLend(0) else { return .none("it has lent as much data as it does in a day") }
        guard piece.connection.count <= Self.longestName else { return .none("the question makes no sense") }
        let name = "\(key) \(piece.connection)"
        guard !piece.isOver else {
            connections.close(name)
            count(DataUse(), isOver: true)
            return RelayReply(isOver: true)
        }
        if piece.isFirst {
            do { try await connections.open(name) } catch {
                return .none("it can't reach \(place.host) either")
            }
        }
        let wait = min(.milliseconds(Int64(max(0, piece.waitMilliseconds))), Self.longestWait)
        guard let came = try await connections.exchange(name, piece.bytes, wait: wait) else {
            return .none("the connection is over")
        }
        _ = mayLend(piece.bytes.count + came.bytes.count)
        count(DataUse(sent: Int64(piece.bytes.count), received: Int64(came.bytes.count)), isOver: came.isOver)
        return RelayReply(bytes: came.bytes, isOver: came.isOver)
    }

    /// - Parameter bytes: what has gone through just now.
    private func mayLend(_ bytes: Int) -> Bool {
        let now = MachineClock.uptime
        let (total, isFirst) = lent.withLock { lent in
            let isFirst = lent.since.map { now - $0 >= Self.day } ?? true
            if isFirst { lent = (now, 0) }
            lent.bytes += bytes
            return (lent.bytes, isFirst)
        }
        if isFirst { log.notice("the other post's records go over this box's link to the server") }
        return total < Self.mostBytesADay
    }

    private func count(_ use: DataUse, isOver: Bool) {
        let due = uncounted.withLock { uncounted -> DataUse? in
            uncounted.sent += use.sent
            uncounted.received += use.received
            guard isOver || uncounted.total >= Self.countAt else { return nil }
            defer { uncounted = DataUse() }
            return uncounted
        }
        guard let due else { return }
        do { try store.dataUse.add(due, at: BoxClock.now) } catch {
            uncounted.withLock {
                $0.sent += due.sent
                $0.received += due.received
            }
            log.error("what went through for the other post can't be counted", metadata: ["error": "\(error)"])
        }
    }
}
