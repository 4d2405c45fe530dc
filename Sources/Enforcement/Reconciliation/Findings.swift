import Foundation

/// A match that holds here.
package struct MatchStanding: Sendable, Equatable, Identifiable {
    package var id: Int64
    /// The passage of this post.
    package var own: UUID
    /// The passage of the other post.
    package var remote: UUID
    package var isOwnEntry: Bool
    package var certainty: Match.Certainty
    package var state: FindingState

    package var entry: UUID { isOwnEntry ? own : remote }
    package var exit: UUID { isOwnEntry ? remote : own }

    package init(
        id: Int64, own: UUID, remote: UUID, isOwnEntry: Bool, certainty: Match.Certainty = .exact,
        state: FindingState = .provisional
    ) {
        self.id = id
        self.own = own
        self.remote = remote
        self.isOwnEntry = isOwnEntry
        self.certainty = certainty
        self.state = state
    }
}

/// A violation on record here.
package struct ViolationStanding: Sendable, Equatable, Identifiable {
    package var id: UUID
    /// The match that it was found by; nil when only the server knows the match.
    package var match: Int64?
    /// The passage of this post that it belongs to.
    package var own: UUID?
    package var entry: UUID
    package var exit: UUID
    package var state: FindingState
    package var serverID: UUID?
    /// Of another road that this post stands on: what the server says of the match on its own road doesn't bear on it.
    package var isOfFurtherRoad: Bool

    package init(
        id: UUID, match: Int64? = nil, own: UUID? = nil, entry: UUID, exit: UUID, state: FindingState = .provisional,
        serverID: UUID? = nil, isOfFurtherRoad: Bool = false
    ) {
        self.id = id
        self.isOfFurtherRoad = isOfFurtherRoad
        self.match = match
        self.own = own
        self.entry = entry
        self.exit = exit
        self.state = state
        self.serverID = serverID
    }

    /// Whether it becomes doubtful when the server has it no longer: until the server judges again it is found here and nothing more.
    package var isDoubtedByLoss: Bool { state == .confirmed }

    /// What becomes of it when the server's violations are all here and it is none of them.
    ///
    /// - Parameters:
    ///   - match: how its match stands; nil when it has none here.
    ///   - isMatchedThere: whether the server has matched its passage.
    package func missingThere(match: FindingState?, isMatchedThere: Bool) -> [ReconciliationAction] {
        guard state == .provisional, serverID == nil else { return [] }
        // Its match stands at the server without a violation. One that hangs on no match here was the server's own: it was lost, and
        // not found again.
        let isJudged = match == .confirmed || (self.match == nil && isMatchedThere)
        return isJudged ? [.withdrawViolation(id)] : []
    }
}

/// An overstay alert that was not withdrawn.
package struct AlertOnRecord: Sendable, Equatable {
    /// The passage of this post that it was raised for.
    package var entry: UUID
    package var isResolved: Bool
    /// The exit that resolved it; nil when the server did.
    package var resolvedBy: UUID?
    package var isDismissed: Bool

    package init(entry: UUID, isResolved: Bool = false, resolvedBy: UUID? = nil, isDismissed: Bool = false) {
        self.entry = entry
        self.isResolved = isResolved
        self.resolvedBy = resolvedBy
        self.isDismissed = isDismissed
    }
}

/// What follows here from a passage of either post, and still holds: its matches, what was judged of them, and alerts that they bear on.
package struct Findings: Sendable, Equatable {
    package var matches: [MatchStanding]
    package var violations: [ViolationStanding]
    package var alerts: [AlertOnRecord]

    package init(
        matches: [MatchStanding] = [], violations: [ViolationStanding] = [], alerts: [AlertOnRecord] = []
    ) {
        self.matches = matches
        self.violations = violations
        self.alerts = alerts
    }

    /// Takes a match back, with what followed from it: the violation that was found by it, unless the server has judged it, and the
    /// alert that it had resolved. The other post's passage is a candidate again.
    mutating func withdraw(_ match: MatchStanding) -> [ReconciliationAction] {
        matches.removeAll { $0.id == match.id }
        var actions: [ReconciliationAction] = [.withdrawMatch(match.id)]
        guard match.certainty == .exact else { return actions }
        actions += withdrawViolations { $0.match == match.id && $0.state == .provisional }
        actions.append(.setMatched(false, remote: match.remote))
        for index in alerts.indices where alerts[index].entry == match.entry && alerts[index].resolvedBy == match.exit {
            alerts[index].isResolved = false
            alerts[index].resolvedBy = nil
            actions.append(.reopenAlert(entry: match.entry))
        }
        return actions
    }

    mutating func withdrawMatches(where isMeant: (MatchStanding) -> Bool) -> [ReconciliationAction] {
        matches.filter(isMeant).flatMap { withdraw($0) }
    }

    mutating func withdrawViolations(where isMeant: (ViolationStanding) -> Bool) -> [ReconciliationAction] {
        let meant = violations.filter(isMeant).map(\.id)
        violations.removeAll { meant.contains($0.id) }
        return meant.map(ReconciliationAction.withdrawViolation)
    }

    /// The server keeps every passage that a violation of its own stands on: there is none of a passage that is gone.
    mutating func withdrawViolations(onPassage id: UUID) -> [ReconciliationAction] {
        withdrawViolations { $0.entry == id || $0.exit == id }
    }
}
