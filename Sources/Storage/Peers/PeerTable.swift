import Enforcement
import Foundation
import GRDB

/// Another box that this one is paired with.
package struct Peer: Sendable, Equatable {
    package enum Status: String, Sendable, CaseIterable { case active, revoked }

    package enum Kind: String, Sendable, CaseIterable {
        /// The post at the other end of the road: each asks the other what is new there.
        case post
        /// It lends this box its way to the server.
        case hub
        /// This box lends it its way.
        case guest

        /// So many at once.
        package var most: Int {
            switch self {
            case .post: 1
            case .hub: 4
            case .guest: 16
            }
        }
    }

    /// 64 hexadecimal digits.
    package var publicKey: String

    /// Of the post.
    package var code: String

    /// `host:port` as a person typed it; nil where nobody has.
    package var address: String?

    /// `host:port` where it spoke from last; nil before it has.
    package var seenAt: String?
    package var status: Status
    package var kind: Kind
    package var pairedAt: Instant
    package var revokedAt: Instant?

    /// The number of its last news that is here.
    package var mark: Int64

    /// The number of the last of its doings that is here.
    package var outcomeMark: Int64 = 0

    /// Words of it that this program can't read: until they can, nobody knows all of it.
    package var unread = 0

    /// Where it may be asked, the typed one first.
    package var addresses: [String] { Set([address, seenAt].compactMap(\.self)).sorted { one, _ in one == address } }

    package init(publicKey: String, code: String, kind: Kind = .post, address: String?, pairedAt: Instant) {
        (self.publicKey, self.code, self.address, self.pairedAt) = (publicKey, code, address, pairedAt)
        self.kind = kind
        (status, mark) = (.active, 0)
    }
}

/// A code that somebody is to type at another box.
package struct PeerOffer: Sendable, Equatable {
    package var code: String

    /// What whoever types it becomes: the other post or a guest, and nothing else.
    package var kind: Peer.Kind
    package var until: Instant

    /// The key of whoever had it; nil while nobody has.
    package var takenBy: String?

    package init(code: String, kind: Peer.Kind = .post, until: Instant, takenBy: String? = nil) {
        (self.code, self.kind, self.until, self.takenBy) = (code, kind, until, takenBy)
    }
}

/// With whom this box is paired.
package struct PeerTable: Table {
    let store: Store
}

extension PeerTable {
    /// All that ever were, the newest first.
    package func list() throws -> [Peer] {
        try read("Reading peers") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM peers ORDER BY status, paired_at DESC").map(Self.peer)
        }
    }

    /// The post at the other end that counts now.
    package func active() throws -> Peer? { try active(.post).first }

    /// Those of a kind that count now, the first paired first.
    package func active(_ kind: Peer.Kind) throws -> [Peer] {
        try list().filter { $0.status == .active && $0.kind == kind }.reversed()
    }

    /// Whoever has this key, if it counts now.
    package func active(key: String) throws -> Peer? {
        try list().first { $0.status == .active && $0.publicKey == key }
    }

    /// Pairs with another box. Whoever was the other post before is none any more. It is heard from its first word on: what is known stays.
    ///
    /// - Throws: `StoreError` of kind `refused` where there are as many hubs or guests as there may be, or it is of another kind already: that
    ///   pairing is ended first.
    package func pair(_ peer: Peer, at now: Instant) throws {
        try write("Pairing with another box") { db in
            switch peer.kind {
            case .post: try Self.revoke(db, .post, except: peer.publicKey, at: now)
            // On another disk it has another key.
            case .hub: try Self.revoke(db, .hub, except: peer.publicKey, named: peer.code, at: now)
            case .guest: break
            }
            let others = try Int.fetchOne(
                db,
                cached: "SELECT count(*) FROM peers WHERE status = 'active' AND kind = ? AND public_key <> ?",
                arguments: [peer.kind.rawValue, peer.publicKey])
            guard others ?? 0 < peer.kind.most else {
                throw StoreError(.refused, "This box is paired with \(peer.kind.most) of that kind, and with no more.")
            }
            let isOtherwise = try Bool.fetchOne(
                db,
                cached: "SELECT EXISTS (SELECT 1 FROM peers WHERE status = 'active' AND public_key = ? AND kind <> ?)",
                arguments: [peer.publicKey, peer.kind.rawValue])
            guard isOtherwise != true else {
                throw StoreError(
                    .refused, "This box is paired with that one already, and not as a \(peer.kind.rawValue).")
            }
            try db.execute(
                cached: """
                    INSERT INTO peers (public_key, code, kind, address, seen_at, status, paired_at)
                    VALUES (?, ?, ?, ?, ?, 'active', ?)
                    ON CONFLICT (public_key) DO UPDATE SET code = excluded.code, kind = excluded.kind,
                        address = coalesce(excluded.address, address), seen_at = coalesce(excluded.seen_at, seen_at),
                        status = 'active', revoked_at = NULL, paired_at = excluded.paired_at, mark = 0,
                        outcome_mark = 0, unread = 0
                    """,
                arguments: [
                    peer.publicKey, peer.code, peer.kind.rawValue, peer.address, peer.seenAt,
                    peer.pairedAt.milliseconds,
                ])
            // A hub showed its code; this box may show one to somebody else.
            guard peer.kind != .hub else { return }
            try db.execute(
                cached: "DELETE FROM peer_offers WHERE taken_by IS NOT NULL AND taken_by <> ?",
                arguments: [peer.publicKey])
            try db.execute(
                cached: "UPDATE peer_offers SET taken_by = coalesce(taken_by, ?)", arguments: [peer.publicKey])
        }
    }

    /// Takes one back, or with nil the other post: it is answered or asked no more.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package func revoke(key: String? = nil, at now: Instant) throws -> Bool {
        try write("Taking a box back") { db in
            let kind = try String.fetchOne(
                db, cached: "SELECT kind FROM peers WHERE status = 'active' AND public_key = ?", arguments: [key])
            guard let key, kind != Peer.Kind.post.rawValue else {
                try db.execute(cached: "DELETE FROM peer_offers")
                return try Self.revoke(db, .post, at: now)
            }
            try db.execute(
                cached:
                    "UPDATE peers SET status = 'revoked', revoked_at = ? WHERE status = 'active' AND public_key = ?",
                arguments: [now.milliseconds, key])
            let isTaken = db.changesCount > 0
            try db.execute(cached: "DELETE FROM peer_offers WHERE taken_by = ?", arguments: [key])
            return isTaken
        }
    }

    /// Takes all back: whoever has a copy of the records is not the box.
    static func revokeAll(_ db: Database, at now: Instant) throws {
        for kind in Peer.Kind.allCases { try revoke(db, kind, at: now) }
    }

    @discardableResult
    private static func revoke(
        _ db: Database, _ kind: Peer.Kind, except key: String = "", named code: String? = nil, at now: Instant
    ) throws -> Bool {
        try db.execute(
            cached: """
                UPDATE peers SET status = 'revoked', revoked_at = ?
                WHERE status = 'active' AND kind = ? AND public_key <> ? AND code = coalesce(?, code)
                """, arguments: [now.milliseconds, kind.rawValue, key, code])
        guard db.changesCount > 0 else { return false }
        guard kind == .post else { return true }
        // What it told of violations that are not found yet is not the next one's word.
        try db.execute(cached: "DELETE FROM peer_outcomes WHERE is_settled = 0")
        return true
    }

    /// Where a box is from now on.
    package func move(_ peer: Peer, to address: String) throws {
        try write("Keeping where a box is") { db in
            try db.execute(
                cached: "UPDATE peers SET address = ?1 WHERE public_key = ?2 AND address IS NOT ?1",
                arguments: [address, peer.publicKey])
        }
    }

    /// Keeps where the other post spoke from.
    package func saw(at address: String) throws {
        try write("Keeping where the other post is") { db in
            try db.execute(
                cached: """
                    UPDATE peers SET seen_at = ?1 WHERE status = 'active' AND kind = 'post' AND seen_at IS NOT ?1
                    """, arguments: [address])
        }
    }

    /// Keeps how far its news are here, unless they are to be heard anew since it was asked.
    ///
    /// - Parameters:
    ///   - asked: the mark behind which it was asked.
    ///   - unread: so many more words can't be read.
    /// - Returns: whether it was kept.
    @discardableResult
    package func keep(mark: Int64, after asked: Int64, unread: Int = 0, of key: String) throws -> Bool {
        try write("Keeping how far the other post is known") { db in
            try db.execute(
                cached: "UPDATE peers SET mark = ?, unread = unread + ? WHERE public_key = ? AND mark = ?",
                arguments: [mark, unread, key, asked])
            return db.changesCount > 0
        }
    }

    /// Keeps how far its doings are here, unless they are to be heard anew since it was asked.
    package func keep(outcomeMark: Int64, after asked: Int64, of key: String) throws {
        try write("Keeping what the other post did") { db in
            try db.execute(
                cached: "UPDATE peers SET outcome_mark = ?1 WHERE public_key = ?2 AND outcome_mark = ?3 AND ?1 <> ?3",
                arguments: [outcomeMark, key, asked])
        }
    }

    /// Hears all of it once more where words could not be read: this program may be a newer one.
    package func hearUnreadAgain() throws {
        try write("Hearing the other post once more") { db in
            try db.execute(cached: "UPDATE peers SET mark = 0, unread = 0 WHERE unread > 0")
        }
    }

    package func offer() throws -> PeerOffer? {
        try read("Reading the code") { db in
            try Row.fetchOne(db, cached: "SELECT * FROM peer_offers").map {
                PeerOffer(
                    code: try $0.text("code"), kind: try $0.choice("kind"), until: try $0.instant("until"),
                    takenBy: try $0.optionalText("taken_by"))
            }
        }
    }

    /// Makes a code; the one before counts no more.
    package func offer(_ offer: PeerOffer) throws {
        try write("Making a code") { db in
            try db.execute(
                cached: "INSERT OR REPLACE INTO peer_offers (id, code, kind, until, taken_by) VALUES (1, ?, ?, ?, ?)",
                arguments: [offer.code, offer.kind.rawValue, offer.until.milliseconds, offer.takenBy])
        }
    }

    /// Somebody had the code: nobody else may use it.
    package func useOffer(by key: String) throws {
        try write("Using a code") { db in
            try db.execute(cached: "UPDATE peer_offers SET taken_by = coalesce(taken_by, ?)", arguments: [key])
        }
    }

    private static func peer(_ row: Row) throws -> Peer {
        var peer = Peer(
            publicKey: try row.text("public_key"), code: try row.text("code"), kind: try row.choice("kind"),
            address: try row.optionalText("address"), pairedAt: try row.instant("paired_at"))
        peer.status = try row.choice("status")
        peer.revokedAt = try row.optionalInstant("revoked_at")
        peer.mark = try row.decode(Int64.self, forColumn: "mark")
        peer.outcomeMark = try row.decode(Int64.self, forColumn: "outcome_mark")
        peer.seenAt = try row.optionalText("seen_at")
        peer.unread = try row.integer("unread")
        return peer
    }
}
