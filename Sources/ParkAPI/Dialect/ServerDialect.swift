import Enforcement
import Foundation

/// How the server at the other end speaks the contract: with the published columns or with ours, its functions in one place or the other,
/// and what else it can do. A session chooses it once, and requests are built by it.
package struct ServerDialect: Sendable, Equatable {
    package enum Schema: Sendable, Equatable {
        /// The columns that the pilot published.
        case published
        /// Those and ours: the server's numbers, ids of texts, clocks, tolerances, people.
        case ours
    }

    /// What some servers can and others can't.
    package enum Ability: Sendable, CaseIterable {
        /// Tells what was corrected and withdrawn, and who closed an alert.
        case changes
        /// Tells what was deleted.
        case deletions
        /// Passes on what waits for review at a post.
        case reviews
        /// Passes on up to when all that a post saw has been sent.
        case completeness
        /// Knows which way a vehicle went.
        case travel
        /// Has a tolerance with segments and violations.
        case tolerance
        /// Says whose accounts are open.
        case accounts
        /// Takes the evidence chains of the boxes.
        case evidence
        /// Says in one answer whether there is anything to fetch.
        case news
        /// Takes what waits for review at a post with the same question.
        case tellingNews
    }

    package let schema: Schema

    /// Functions that are called at the interface of the database: all of them in a Supabase project without edge functions. Each is
    /// learned by itself, since a project may have some.
    private var inDatabase: Set<ParkFunction> = []
    private var abilities: [Ability: Bool] = [:]

    package init(schema: Schema) {
        self.schema = schema
    }

    /// A server with the published columns alone.
    package static let published = ServerDialect(schema: .published)

    /// The park's own server, or a Supabase project with our tables: nothing else was seen of it yet.
    package static let ours = ServerDialect(schema: .ours)

    /// Whether it can; nil until it was seen. A server with the published columns has nothing beyond them.
    package func can(_ ability: Ability) -> Bool? { schema == .published ? false : abilities[ability] }

    package mutating func learn(_ ability: Ability, _ isThere: Bool) { abilities[ability] = isThere }
    package mutating func learn(isInDatabase function: ParkFunction) { inDatabase.insert(function) }

    /// Whether pages are followed by the server's numbers. Without them they go by time.
    package var hasNumbers: Bool { schema == .ours }

    /// Asks for columns beyond the published ones: a server without them refuses.
    package static let question = RowQuery<PassageColumn>().telling(columnsBeyond).limited(to: 1)

    /// The same with a column that not every one of ours has: asked first.
    package static let wholeQuestion = RowQuery<PassageColumn>().telling(columnsBeyond + [.travel]).limited(to: 1)

    private static let columnsBeyond: [PassageColumn] = [.serverSequence, .smsClientID, .clockState]

    /// Where a function is called, and where it is called again when it isn't there.
    package func paths(of function: ParkFunction) -> (first: String, other: String?) {
        guard let path = function.path, !inDatabase.contains(function) else { return (function.databasePath, nil) }
        return (path, function.databasePath)
    }
}

/// The columns that are asked for. One that a server doesn't have makes it refuse the whole question.
extension ServerDialect {
    /// By which a page follows the one before.
    private func following<Column: NumberedColumn>(_ time: Column?) -> [Column] {
        hasNumbers ? [.serverSequence] : [time].compactMap(\.self)
    }

    private var travel: [PassageColumn] { can(.travel) == true ? [.travel] : [] }

    /// Passages of the other post.
    package var otherPassages: [PassageColumn] {
        [.id, .clientID, .plate, .vehicleType, .checkpost, .recordedAt, .source, .match]
            + (schema == .ours ? [.clockState] : []) + travel + following(.receivedAt)
    }

    /// This post's passages, as far as the server's word on them goes.
    package var ownPassages: [PassageColumn] { [.id, .clientID, .plate, .match, .recordedAt] + following(nil) }

    /// This post's passages, to be restored.
    package var wholePassages: [PassageColumn] {
        [.id, .clientID, .plate, .plateRaw, .vehicleType, .recordedAt, .photoPath]
            + (schema == .ours ? [.smsClientID, .actedBy, .confidence, .clockState] : []) + travel
    }

    /// As much of a passage of some months ago: it is history, with its match and its photo.
    package var olderPassages: [PassageColumn] { wholePassages + [.match] + (schema == .ours ? [.photoSHA256] : []) }

    package var violations: [ViolationColumn] {
        [
            .id, .entry, .exit, .kind, .plate, .vehicleType, .entryTime, .exitTime, .calculatedSpeedKmh,
            .speedLimitKmh, .distanceKm,
        ] + (can(.tolerance) == true ? [.toleranceKmh, .tolerancePercent] : []) + following(.createdAt)
    }

    package var outcomes: [OutcomeColumn] {
        [.violation, .kind, .fineAmount, .notes, .recordedBy, .recordedAt]
            + (schema == .ours ? [.actedBy] : []) + following(nil)
    }

    package var alerts: [AlertColumn] {
        [.entry, .plate, .vehicleType, .entryTime, .expectedExitBy, .isResolved, .resolvedAt]
            + (can(.changes) == true ? [.resolvedBy, .resolvedReason] : []) + following(.createdAt)
    }

    package var changes: [ChangeColumn] { [.clientID, .passage, .kind, .serverSequence] }
    package var deletions: [DeletionColumn] { [.id, .clientID, .smsClientID, .serverSequence] }
}

/// What is sent.
extension ServerDialect {
    package func upload(
        _ passage: Passage, smsClientID: UUID?, checkpost: UUID, segment: UUID, ranger: UUID
    ) -> PassageUpload {
        PassageUpload(
            passage, checkpost: checkpost, segment: segment, ranger: ranger,
            beyond: schema == .ours ? .init(smsClientID: smsClientID, tellsTravel: can(.travel) == true) : nil)
    }

    package func upload(_ outcome: Outcome, key: OutcomeUpload.Key?) -> OutcomeUpload {
        OutcomeUpload(outcome, namesPerson: schema == .ours, key: key)
    }

    /// By which columns it is looked up whether the server has a passage.
    package var identities: [PassageColumn] { schema == .ours ? PassageColumn.identities : [.clientID] }
}
