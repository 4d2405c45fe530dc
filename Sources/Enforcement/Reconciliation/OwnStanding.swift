import Foundation

/// What stands here of one passage of this post, and what becomes of it when the server, or a person, says something about it.
///
/// A pure machine: the shell reads the state, asks, and performs what it is told in the same transaction.
///
/// | word | what follows |
/// | --- | --- |
/// | told | its row id is kept, its plate taken over where nothing of this post waits, its match taken for the one found here |
/// | told, though deleted before | the same, after the passage is in force again and what rested with it goes on |
/// | deleted there | withdrawn with all that followed, its entries rest until a person asks for them |
/// | withdrawn there, at a server that tells no deletions | the same |
/// | lost there | sent again with what followed it, and not by SMS |
/// | found to have another between it and its match | the match that was found here is taken back |
/// | wanted again by a person | sent again with its last change and its photo, and not by SMS; what the server said of it stays |
/// | changed here | match, finding and alert are taken back, the server is told |
/// | put right in time | match, finding and alert are taken back; the server doesn't have it yet |
///
/// A repeated word changes nothing.
package struct OwnStanding: Sendable, Equatable {
    package enum Force: Sendable, Equatable {
        case inForce
        case withdrawn
        /// The warden deleted it: it counts as withdrawn, and comes back when its row does, or when a person asks for it.
        case deletedThere
    }

    package let clientID: UUID
    package internal(set) var plate: Plate
    package internal(set) var force: Force
    package internal(set) var serverID: UUID?
    /// The row that the server matched it with.
    package internal(set) var matchedServerID: UUID?
    /// What is, or was, to be sent of it.
    package internal(set) var entries: [QueueEntry]
    /// The last change of it on record, whoever made it.
    package internal(set) var lastCorrection: Int64?
    /// With the matches that others have with the passage that the server names.
    package internal(set) var findings: Findings

    package init(
        clientID: UUID, plate: Plate, force: Force = .inForce, serverID: UUID? = nil, matchedServerID: UUID? = nil,
        entries: [QueueEntry] = [], lastCorrection: Int64? = nil, findings: Findings = Findings()
    ) {
        self.clientID = clientID
        self.plate = plate
        self.force = force
        self.serverID = serverID
        self.matchedServerID = matchedServerID
        self.entries = entries
        self.lastCorrection = lastCorrection
        self.findings = findings
    }

    package enum Event: Sendable, Equatable {
        /// The server's row of it. The partner is the passage here that the row names as its match; nil when it isn't here, or there is
        /// none.
        case told(OwnServerRow, partner: Partner?)
        case deletedThere(row: UUID)
        case withdrawnThere
        /// The server has taken its withdrawal.
        case takenOffRecord
        /// The server had it and has it no longer. Named are the outcomes on the way that hold.
        case lostThere(holdingOutcomes: Set<Int64>)
        case correctionLostThere
        /// A person wants the server to get it once more, whatever it has.
        case wantedAgain(withPhoto: Bool)
        /// The server won't have a match that was proposed to it.
        case matchRefused(Int64)
        /// Another passage lies between the two.
        case matchContradicted
        /// A person asks for an entry of the queue by its number.
        case askedFor(entry: Int64)
        /// A ranger corrects or withdraws it.
        case changed(newPlate: Plate?, reason: String, by: String)
        /// The true time is known, and it gets another one than it was recorded with.
        case timeKnown
    }

    /// The passage of the other post that the server matched it with.
    package struct Partner: Sendable, Equatable {
        package var clientID: UUID
        package var isMatched: Bool

        package init(clientID: UUID, isMatched: Bool) {
            self.clientID = clientID
            self.isMatched = isMatched
        }
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [ReconciliationAction] {
        switch event {
        case .told(let row, let partner): return told(row, partner: partner, at: now)
        case .deletedThere(let row): return deletedThere(row: row)
        case .withdrawnThere: return goneThere("withdrawn at the server")
        case .takenOffRecord: return findings.withdrawViolations { [clientID] in $0.isJudged(of: clientID) }
        case .lostThere(let outcomes): return lostThere(holdingOutcomes: outcomes, at: now)
        case .correctionLostThere: return sendCorrectionAgain()
        case .wantedAgain(let withPhoto): return wantedAgain(withPhoto: withPhoto, at: now)
        case .matchRefused(let id): return matchRefused(id)
        // The server's word is not taken back here.
        case .matchContradicted:
            return findings.withdrawMatches { $0.isExact(of: clientID) && $0.state == .provisional }
        case .askedFor(let entry): return askedFor(entry)
        case .changed(let plate, let reason, let actor):
            guard force == .inForce else { return [] }
            return change(to: plate, reason: reason, by: actor, isServers: false)
        case .timeKnown: return force == .inForce ? takeBackFindings() : []
        }
    }

    // MARK: The server's row

    private mutating func told(_ row: OwnServerRow, partner: Partner?, at now: Instant) -> [ReconciliationAction] {
        // As it was before what rested goes on again.
        let isChangedHere = entries.contains { $0.entity == .correction && $0.isOnItsWay }
        var actions = force == .deletedThere ? putBack() : []
        if serverID != row.serverID {
            serverID = row.serverID
            actions.append(.setServerID(row.serverID, passage: clientID))
        }
        // A correction on its way whose plate the server has already: the passage was sent after it was corrected. Its word is on that
        // plate, and it is not said again.
        let isOfThisPlate = row.plate?.compact == plate.compact
        guard force == .inForce, isOfThisPlate || !isChangedHere else { return actions }
        if let theirs = row.plate, !isOfThisPlate, isSettled {
            actions += change(to: theirs, reason: Self.correctedThere, by: Amendment.warden, isServers: true)
        }
        let wasMatched = matchedServerID != nil
        actions += setServerMatch(row.matchedServerID)
        if wasMatched, row.matchedServerID == nil { actions += reopenAlerts() }
        return actions + judgeMatch(row.matchedServerID, partner: partner, at: now)
    }

    /// Whether the server has all that this post says of the plate. What a ranger here changed and the server has not taken (it waits,
    /// or it was refused) stays: he is to see it.
    private var isSettled: Bool {
        entries.allSatisfy { ![.passage, .correction].contains($0.entity) || $0.status == .synced }
    }

    private mutating func setServerMatch(_ row: UUID?) -> [ReconciliationAction] {
        guard matchedServerID != row else { return [] }
        matchedServerID = row
        return [.setServerMatch(row, passage: clientID)]
    }

    /// The server took its match back, and no match here had answered for the vehicle: it has not come out.
    private mutating func reopenAlerts() -> [ReconciliationAction] {
        guard !findings.matches.contains(where: { $0.isExact(of: clientID) }) else { return [] }
        var actions: [ReconciliationAction] = []
        for index in findings.alerts.indices {
            let alert = findings.alerts[index]
            guard alert.entry == clientID, alert.isResolved, alert.resolvedBy != nil, !alert.isDismissed else {
                continue
            }
            findings.alerts[index].isResolved = false
            findings.alerts[index].resolvedBy = nil
            actions.append(.reopenAlert(entry: clientID))
        }
        return actions
    }

    /// Confirms or withdraws the match that was found here, now that the server has one, or none any longer.
    private mutating func judgeMatch(_ row: UUID?, partner: Partner?, at now: Instant) -> [ReconciliationAction] {
        let own = clientID
        guard row != nil else {
            // The server took its match back. What was only found here still waits for its word.
            return findings.withdrawMatches { $0.isExact(of: own) && $0.state == .confirmed }
                + findings.withdrawViolations { $0.isJudged(of: own) }
        }
        var actions: [ReconciliationAction] = []
        if let index = findings.matches.firstIndex(where: { $0.isExact(of: own) }) {
            let found = findings.matches[index]
            if found.remote != partner?.clientID {
                actions += findings.withdraw(found)
            } else if found.state == .provisional {
                findings.matches[index].state = .confirmed
                actions.append(.confirmMatch(found.id))
            }
        }
        actions += findings.withdrawMatches { $0.own == own && $0.certainty == .lookAlike }
        guard var partner else { return actions }
        actions += findings.withdrawViolations {
            $0.isJudged(of: own) && ![$0.entry, $0.exit].contains(partner.clientID)
        }
        // The server gave it to this passage: no other passage here keeps it.
        for rival in findings.matches where rival.isExact(with: partner.clientID) && rival.own != own {
            actions += findings.withdraw(rival)
            partner.isMatched = false
        }
        if !partner.isMatched { actions.append(.setMatched(true, remote: partner.clientID)) }
        if let index = findings.alerts.firstIndex(where: { $0.entry == own && !$0.isResolved }) {
            findings.alerts[index].isResolved = true
            findings.alerts[index].resolvedBy = partner.clientID
            actions.append(.resolveAlert(entry: own, exit: partner.clientID, at: now))
        }
        return actions
    }

    private mutating func matchRefused(_ id: Int64) -> [ReconciliationAction] {
        guard let match = findings.matches.first(where: { $0.id == id && $0.state == .provisional }) else { return [] }
        // The server has given the partner to another passage, or holds that it belongs to none of ours.
        return findings.withdraw(match) + [.setMatched(true, remote: match.remote)]
    }
}

extension MatchStanding {
    fileprivate func isExact(of passage: UUID) -> Bool { own == passage && certainty == .exact }
    fileprivate func isExact(with partner: UUID) -> Bool { remote == partner && certainty == .exact }
}

extension ViolationStanding {
    /// Whether the server had judged it of this passage.
    fileprivate func isJudged(of passage: UUID) -> Bool {
        own == passage && state == .confirmed && !isOfFurtherRoad
    }
}
