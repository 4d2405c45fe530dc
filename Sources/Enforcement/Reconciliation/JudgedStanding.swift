import Foundation

/// What stands here when the server tells a violation that it judged: the two passages, and every violation that it may be.
///
/// | here | what follows |
/// | --- | --- |
/// | the same violation, found here or told before | it is confirmed under the id that it has here, with the server's figures |
/// | one of the same two passages that was withdrawn with an outcome on it | it is that one: the server lost it and found it again |
/// | another one of the same entry | it is withdrawn |
/// | none | it is new |
///
/// What a ranger of this post did about it is told again when the server has it for the first time, or anew. What others did was the
/// server's word about another row of its: it holds no longer, until the server tells it of this one.
package struct JudgedStanding: Sendable, Equatable {
    /// One of the two passages, as it is known here.
    package struct Side: Sendable, Equatable {
        package var clientID: UUID
        /// Of this post.
        package var isOwn: Bool

        package init(clientID: UUID, isOwn: Bool) {
            self.clientID = clientID
            self.isOwn = isOwn
        }
    }

    /// A violation of these passages.
    package struct Candidate: Sendable, Equatable {
        package var violation: ViolationStanding
        package var withdrawnAt: Instant?
        /// Whether an outcome of it holds.
        package var hasOutcome: Bool
        /// The entries of the queue of the outcome that holds.
        package var outcomeEntries: [QueueEntry]

        package init(
            violation: ViolationStanding, withdrawnAt: Instant? = nil, hasOutcome: Bool = false,
            outcomeEntries: [QueueEntry] = []
        ) {
            self.violation = violation
            self.withdrawnAt = withdrawnAt
            self.hasOutcome = hasOutcome
            self.outcomeEntries = outcomeEntries
        }
    }

    package var entry: Side
    package var exit: Side
    /// With the server's id, of the same two passages, or of the same entry.
    package var candidates: [Candidate]
    /// The exact match that this post's passage has here.
    package var match: Int64?
    /// The plate of this post's passage: it was read with spaces, and the server keeps none.
    package var ownPlate: Plate?
    /// Of a further road of this post.
    package var isOfFurtherRoad = false

    package init(
        entry: Side, exit: Side, candidates: [Candidate] = [], match: Int64? = nil, ownPlate: Plate? = nil
    ) {
        self.entry = entry
        self.exit = exit
        self.candidates = candidates
        self.match = match
        self.ownPlate = ownPlate
    }

    /// The passage of this post; nil when the violation is none of its business.
    package var own: UUID? { [entry, exit].first(where: \.isOwn)?.clientID }

    package func handle(_ told: ServerViolation) -> [ReconciliationAction] {
        guard let own else { return [] }
        let known = theSame(as: told) ?? settledBefore()
        let id = known?.violation.id ?? told.serverID
        // Found here with another passage: the server holds otherwise.
        var actions = candidates.map(\.violation)
            .filter {
                $0.entry == entry.clientID && $0.state != .withdrawn && $0.id != id
                    && $0.isOfFurtherRoad == isOfFurtherRoad
            }
            .map { ReconciliationAction.withdrawViolation($0.id) }
        let judged = violation(told, id: id)
        if known == nil { actions.append(.recordViolation(judged, own: own)) }
        actions.append(.confirmViolation(judged, serverID: told.serverID, own: own, match: match))
        guard let known, !stands(known, as: told) else { return actions }
        // The server has it for the first time, or lost it and judged it anew: what was done about it is told again, also what had
        // nowhere to go meanwhile.
        if known.hasOutcome, known.outcomeEntries.isEmpty, known.violation.serverID != told.serverID {
            return actions + [.forgetOutcome(violation: id)]
        }
        return actions
            + known.outcomeEntries.filter { $0.status == .synced || $0.status == .failed }
            .map { .write($0.inLineAgain()) }
    }

    private func theSame(as told: ServerViolation) -> Candidate? {
        // One that was recorded here as the server told it has the server's id for its own, whatever became of it since.
        candidates.first { $0.violation.serverID == told.serverID || $0.violation.id == told.serverID }
            ?? candidates.first {
                $0.violation.serverID == nil && $0.violation.state != .withdrawn
                    && Set([entry.clientID, exit.clientID]).isSuperset(of: [$0.violation.entry, $0.violation.exit])
            }
    }

    /// A violation of these two passages that was withdrawn after a ranger had recorded an outcome: the server lost the match for a
    /// while. What it finds again is that one.
    private func settledBefore() -> Candidate? {
        candidates.filter {
            $0.violation.state == .withdrawn && $0.hasOutcome && $0.violation.entry == entry.clientID
                && $0.violation.exit == exit.clientID
        }
        .max { ($0.withdrawnAt?.milliseconds ?? .min) < ($1.withdrawnAt?.milliseconds ?? .min) }
    }

    private func stands(_ known: Candidate, as told: ServerViolation) -> Bool {
        known.violation.serverID == told.serverID && known.violation.state != .withdrawn
    }

    private func violation(_ told: ServerViolation, id: UUID) -> Violation {
        let plate = ownPlate.flatMap { $0.compact == told.plate.compact ? $0 : nil }
        return Violation(
            id: id, kind: told.kind, entryClientID: entry.clientID, exitClientID: exit.clientID,
            plate: plate ?? told.plate, vehicleType: told.vehicleType, entryTime: told.entryTime,
            exitTime: told.exitTime, distanceKm: told.distanceKm, speedLimitKmh: told.speedLimitKmh,
            toleranceKmh: told.toleranceKmh, tolerancePercent: told.tolerancePercent,
            calculatedSpeedKmh: told.calculatedSpeedKmh, isImplausible: told.isImplausible, state: .confirmed)
    }
}
