import Foundation

/// What an entry of the evidence chain says. A fact is never changed: what comes of it later is a later fact.
package enum EvidenceFact: Sendable, Equatable {
    /// A chain begins. The key, 64 hexadecimal digits, is nil where none could be made yet.
    case began(checkpost: String, key: String?, because: EvidenceBeginning, after: EvidenceHead?)

    /// A passage was recorded.
    case passage(Passage)

    /// A passage's photo could be kept only now.
    case photo(passage: UUID, sha256: String)

    /// A passage has another plate. The same plate once more: it holds again, or something else about it was put right.
    case corrected(passage: UUID, Amendment)

    /// A passage was none.
    case withdrawn(passage: UUID, Amendment)

    /// A passage's time was put right.
    case timed(passage: UUID, from: Instant, to: Instant, knownBy: String)

    /// A passage took over the id of its own row at the server.
    case renamed(passage: UUID, to: UUID)

    /// The entries from here on are signed with this key; this one is with the one before, if there was one.
    case key(String)

    package init(_ amendment: Amendment, passage: UUID) {
        self =
            amendment.newPlate == nil
            ? .withdrawn(passage: passage, amendment) : .corrected(passage: passage, amendment)
    }

    /// The passage that it is about; its new id where it has another.
    package var passageID: UUID? {
        switch self {
        case .began, .key: nil
        case .passage(let passage): passage.clientID
        case .photo(let id, _), .corrected(let id, _), .withdrawn(let id, _), .timed(let id, _, _, _): id
        case .renamed(_, let id): id
        }
    }

    /// The key that it names.
    package var key: String? {
        switch self {
        case .began(_, let key, _, _): key
        case .key(let key): key
        default: nil
        }
    }
}

/// Why a chain begins.
package enum EvidenceBeginning: String, Sendable, Codable, CaseIterable {
    case first = "first chain"
    case moved = "the box was moved"
    case keyLost = "the key was lost"
    case databaseLost = "the database was lost"
    case restored = "the database was restored from a backup"
}

/// Where a chain ends, or ended.
package struct EvidenceHead: Sendable, Equatable, Codable {
    package var chain: UUID
    package var number: Int

    /// Of the entry's text, lower-case hexadecimal.
    package var hash: String

    package init(chain: UUID, number: Int, hash: String) {
        self.chain = chain
        self.number = number
        self.hash = hash
    }
}

extension EvidenceFact {
    /// The lines of its own in an entry, in their order: `deploy/docs/evidence.md` has them byte for byte.
    var lines: [(name: String, value: String?)] {
        switch self {
        case .began(let checkpost, let key, let because, let after):
            [
                ("kind", "began"), ("checkpost", checkpost), ("key", key), ("because", because.rawValue),
                ("after", after.map { "\(Self.id($0.chain)) \($0.number) \($0.hash)" }),
            ]
        case .passage(let passage): Self.lines(of: passage)
        case .photo(let id, let sha256): [("kind", "photo"), ("passage", Self.id(id)), ("photo", sha256)]
        case .corrected(let id, let amendment), .withdrawn(let id, let amendment):
            [
                ("kind", amendment.newPlate == nil ? "withdrawn" : "corrected"), ("passage", Self.id(id)),
                ("old plate", amendment.oldPlate.canonical), ("plate", amendment.newPlate?.canonical),
                ("by", amendment.actor), ("reason", amendment.reason),
            ]
        case .timed(let id, let from, let to, let teller):
            [
                ("kind", "timed"), ("passage", Self.id(id)), ("recorded", to.iso8601), ("instead of", from.iso8601),
                ("by", teller),
            ]
        case .renamed(let old, let new): [("kind", "renamed"), ("passage", Self.id(new)), ("instead of", Self.id(old))]
        case .key(let key): [("kind", "key"), ("key", key)]
        }
    }

    private static func lines(of passage: Passage) -> [(name: String, value: String?)] {
        [
            ("kind", "passage"), ("passage", id(passage.clientID)), ("checkpost", passage.checkpostCode),
            ("plate", passage.plate.canonical), ("read", passage.plateRaw), ("vehicle", passage.vehicleType.rawValue),
            ("recorded", passage.recordedAt.iso8601), ("clock", passage.clockState.rawValue),
            ("origin", passage.origin.rawValue),
            ("confidence", passage.confidence.map { Wording.decimal($0, 3) }), ("by", passage.actedBy),
            ("photo", passage.photoSHA256),
        ]
    }

    private static func id(_ id: UUID) -> String { id.uuidString.lowercased() }
}
