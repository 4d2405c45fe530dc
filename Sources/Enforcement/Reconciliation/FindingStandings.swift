import Foundation

/// What stands here when the server tells an overstay alert of a passage of this post.
package struct AlertStanding: Sendable, Equatable {
    package var entry: UUID
    package var plate: Plate
    /// Whether the entry is in force and has no exact match, neither here nor at the server.
    package var isUnmatched: Bool
    package var alert: AlertOnRecord?
    package var other: OtherPost

    package init(
        entry: UUID, plate: Plate, isUnmatched: Bool = true, alert: AlertOnRecord? = nil,
        other: OtherPost = OtherPost(knownUpTo: nil, reviews: nil)
    ) {
        self.entry = entry
        self.plate = plate
        self.isUnmatched = isUnmatched
        self.alert = alert
        self.other = other
    }

    /// Raises it, unless the entry has one or has been matched, and closes it as the server has.
    package func handle(_ told: ServerAlert, at now: Instant) -> [ReconciliationAction] {
        // The server asked before, and an older one never does. What waits for the other post's ranger by now is raised here when it is
        // due.
        let isHeld = OverstayWatch.isHeld(
            told.plate, enteredAt: told.entryTime, expectedBy: told.expectedExitBy, other: other, now: now)
        if isHeld, told.resolvedAt == nil { return [] }
        var actions: [ReconciliationAction] = []
        var alert = alert
        if alert == nil, isUnmatched {
            alert = AlertOnRecord(entry: entry)
            actions.append(
                .raiseAlert(
                    OverstayAlert(
                        entryClientID: entry, plate: plate, vehicleType: told.vehicleType, entryTime: told.entryTime,
                        expectedExitBy: told.expectedExitBy, isDoubtful: false)))
        }
        guard let resolvedAt = told.resolvedAt, let alert, !alert.isResolved else { return actions }
        guard let reason = told.resolvedReason else {
            return actions + [.resolveAlert(entry: entry, exit: nil, at: resolvedAt)]
        }
        // A ranger's word here stays as it is: it is on its way, or the server has an earlier one.
        guard !alert.isDismissed else { return actions }
        return actions + [.dismissAlert(entry: entry, by: told.resolvedBy, reason: reason, at: resolvedAt)]
    }
}

/// What stands here when the server tells what was done about a violation.
package struct OutcomeStanding: Sendable, Equatable {
    package var violation: UUID
    /// The outcome that holds here.
    package var held: Outcome?
    /// The entries of the queue of all outcomes of the violation.
    package var entries: [QueueEntry]

    package init(violation: UUID, held: Outcome? = nil, entries: [QueueEntry] = []) {
        self.violation = violation
        self.held = held
        self.entries = entries
    }

    /// It holds here too, unless it says what is known, or an outcome of this post still has to reach the server.
    ///
    /// - Parameter entry: of an outcome that gives way: it doesn't count as waiting.
    package func handle(_ told: ServerOutcome, over entry: Int64?) -> [ReconciliationAction] {
        let isWaiting = entries.contains { $0.status != .synced && !$0.isRefused && $0.id != entry }
        guard !isWaiting, held.map({ !told.says($0) }) ?? true else { return [] }
        return [.recordOutcome(told.outcome, violation: violation, isSent: told.isOwn)]
    }
}

extension ServerOutcome {
    /// Whether it is the one that is known: the server keeps cents, and less of long texts.
    fileprivate func says(_ other: Outcome) -> Bool {
        let fines = [outcome, other].map { $0.fineAmount.map { ($0 * 100).rounded() } }
        return outcome.kind == other.kind && fines[0] == fines[1]
            && (outcome.notes ?? "") == String((other.notes ?? "").prefix(4000))
            && (!isNamed || outcome.recordedBy == String(other.recordedBy.prefix(200)))
    }
}
