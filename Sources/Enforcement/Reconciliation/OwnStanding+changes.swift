import Foundation

extension OwnStanding {
    /// Why an entry of a passage that was deleted at the server rests.
    package static let deletedReason = "deleted at the server"
    static let correctedThere = "corrected at the server"

    /// Gives the passage another plate, or withdraws it, and takes back what followed from it.
    ///
    /// - Parameter isServers: the server has the change already.
    mutating func change(
        to newPlate: Plate?, reason: String, by actor: String, isServers: Bool
    ) -> [ReconciliationAction] {
        let own = clientID
        var actions: [ReconciliationAction] = [
            .note(
                Amendment(oldPlate: plate, newPlate: newPlate, reason: reason, actor: actor), passage: own,
                isToldToServer: !isServers)
        ]
        lastCorrection = nil
        actions += takeBackFindings()
        guard let newPlate else {
            force = .withdrawn
            // The server takes no photo of a passage that it no longer has.
            return actions + [.withdrawPassage(own), .dropPhotoUpload(passage: own)]
        }
        plate = newPlate
        return actions + [.setPlate(newPlate, passage: own)]
    }

    /// Takes back what followed from it: it is matched anew.
    mutating func takeBackFindings() -> [ReconciliationAction] {
        let own = clientID
        var actions = findings.withdrawMatches { $0.own == own }
        if findings.alerts.contains(where: { $0.entry == own }) {
            findings.alerts.removeAll { $0.entry == own }
            actions.append(.withdrawAlert(entry: own))
        }
        // The server judges the changed passage anew; until then it counts as unmatched here.
        if matchedServerID != nil {
            matchedServerID = nil
            actions.append(.setServerMatch(nil, passage: own))
        }
        return actions
    }

    mutating func deletedThere(row: UUID) -> [ReconciliationAction] {
        guard serverID == nil || serverID == row else { return [] }
        return goneThere(Self.deletedReason)
    }

    /// The server has it no longer, and wants it no more: it counts as withdrawn, with all that the server judged of it.
    mutating func goneThere(_ reason: String) -> [ReconciliationAction] {
        guard force == .inForce else { return [] }
        var actions = change(to: nil, reason: reason, by: Amendment.warden, isServers: true)
        force = .deletedThere
        actions.append(.markDeletedThere(passage: clientID))
        actions += findings.withdrawViolations(onPassage: clientID)
        // What would follow the passage has nowhere to go either.
        return actions
            + rewrite {
                guard $0.entity == .passage || $0.status != .synced else { return nil }
                return $0.resting(.deletedThere, reason)
            }
    }

    /// The deletion was taken back at the server: its row stands there anew, and what was to follow it goes on.
    mutating func putBack() -> [ReconciliationAction] {
        let resting = rewrite {
            guard $0.status == .failed, $0.setAside == .deletedThere else { return nil }
            return $0.entity == .passage ? $0.settled() : $0.inLineAgain()
        }
        return returned() + resting + [noteReturn("put back at the server", by: Amendment.warden)]
    }

    mutating func askedFor(_ entry: Int64) -> [ReconciliationAction] {
        let isMeant = entries.contains { $0.id == entry && $0.entity == .passage && $0.status == .failed }
        guard force == .deletedThere, isMeant else { return [] }
        return returned() + [noteReturn("sent again after it was deleted at the server", by: Amendment.queueRetry)]
    }

    private mutating func returned() -> [ReconciliationAction] {
        force = .inForce
        return [.putInForce(passage: clientID)] + forgetServerRow()
    }

    private func noteReturn(_ reason: String, by actor: String) -> ReconciliationAction {
        .note(
            Amendment(oldPlate: plate, newPlate: plate, reason: reason, actor: actor), passage: clientID,
            isToldToServer: false)
    }

    mutating func lostThere(holdingOutcomes: Set<Int64>, at now: Instant) -> [ReconciliationAction] {
        guard entries.contains(where: { $0.entity == .passage && $0.status == .synced }) else { return [] }
        let sent = rewrite {
            guard $0.entity == .passage, $0.status == .synced else { return nil }
            var entry = $0.inLineAgain()
            entry.resentAt = now
            return entry
        }
        let found = rewrite { $0.lostFinding(holds: $0.subjectID.map(holdingOutcomes.contains) ?? false) }
        // The row of a text keeps the text's plate: the correction follows it once more.
        let corrected = sendCorrectionAgain()
        // Refused because the passage was not there.
        let refused = rewrite {
            guard $0.entity == .correction, $0.status == .failed, $0.setAside == nil else { return nil }
            return $0.inLineAgain(keepingReason: true)
        }
        return sent + forgetServerRow() + found + corrected + refused
    }

    mutating func wantedAgain(withPhoto: Bool, at now: Instant) -> [ReconciliationAction] {
        // The warden wants it no more, and what waits or was refused is in the queue as it is.
        guard force != .deletedThere, entries.contains(where: { $0.entity == .passage && $0.status == .synced }) else {
            return []
        }
        guard force == .inForce else { return sendCorrectionAgain() }
        let sent = rewrite {
            guard $0.entity == .passage, $0.status == .synced else { return nil }
            var entry = $0.inLineAgain()
            entry.resentAt = now
            return entry
        }
        return sent + sendCorrectionAgain() + (withPhoto ? [.uploadPhotoAgain(passage: clientID)] : [])
    }

    /// Only what was changed here: the warden's own word is the server's to know.
    mutating func sendCorrectionAgain() -> [ReconciliationAction] {
        guard let lastCorrection else { return [] }
        return rewrite {
            guard $0.entity == .correction, $0.status == .synced, $0.subjectID == lastCorrection else { return nil }
            return $0.inLineAgain()
        }
    }

    /// Makes it one that the server has never had: with its photo, its match and its violation.
    private mutating func forgetServerRow() -> [ReconciliationAction] {
        serverID = nil
        matchedServerID = nil
        var actions: [ReconciliationAction] = [.forgetServerRow(passage: clientID), .uploadPhoto(passage: clientID)]
        for index in findings.matches.indices
        where findings.matches[index].own == clientID && findings.matches[index].state == .confirmed {
            findings.matches[index].state = .provisional
            actions.append(.doubtMatch(findings.matches[index].id))
        }
        for index in findings.violations.indices
        where findings.violations[index].own == clientID && findings.violations[index].state == .confirmed {
            findings.violations[index].state = .provisional
            findings.violations[index].serverID = nil
            actions.append(.doubtViolation(findings.violations[index].id))
        }
        return actions
    }

    /// Changes entries of the queue; those for which `change` gives nothing stay as they are.
    private mutating func rewrite(_ change: (QueueEntry) -> QueueEntry?) -> [ReconciliationAction] {
        var actions: [ReconciliationAction] = []
        for index in entries.indices {
            guard let changed = change(entries[index]) else { continue }
            entries[index] = changed
            actions.append(.write(changed))
        }
        return actions
    }
}
