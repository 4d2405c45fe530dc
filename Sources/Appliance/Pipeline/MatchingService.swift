import Enforcement
import Foundation
import Storage

/// Matches passages with those of the other post, and watches for vehicles that stay too long.
///
/// It may run as often as one likes: what is matched stays matched, and an alert is raised once. Limits, distance and window are
/// those of the server once it has told them, and before that those of the file.
package struct MatchingService: Sendable {
    package let store: Store
    private let checkpostCode: String
    private let fileSegment: Segment
    private let fileMatcher: PassageMatcher
    private let makeID: @Sendable () -> UUID

    /// - Parameter makeID: the id of a violation that is found; a simulation draws it from its seed.
    package init(
        store: Store, configuration: Configuration, makeID: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.store = store
        self.makeID = makeID
        checkpostCode = configuration.post.code
        fileSegment = configuration.segment
        fileMatcher = configuration.matcher
    }

    /// Another writer may match a passage between our look and our write; then we look again, this often at most.
    private static let attempts = 3

    private struct Rules {
        var segment: Segment
        var matcher: PassageMatcher
    }

    /// The road with its limits as they are now.
    package func segment() throws -> Segment {
        try store.segments.segment(ofCheckpost: checkpostCode)?.segment ?? fileSegment
    }

    private func rules() throws -> Rules {
        Rules(
            segment: try segment(),
            matcher: try ServerSettings(store).matchingWindow.map(PassageMatcher.init(window:)) ?? fileMatcher)
    }

    /// Matches passages that were just recorded, the earliest first.
    ///
    /// - Returns: the violations that were found, those of exempt vehicles among them.
    @discardableResult
    package func match(_ passages: [Passage], at now: Instant) throws -> [Violation] {
        let rules = try rules()
        return try passages.sorted { $0.recordedAt < $1.recordedAt }
            .flatMap { try match(MatchablePassage($0), rules, at: now) }
    }

    /// What a round found.
    package struct Findings {
        package var violations: [Violation] = []
        package var alerts: [OverstayAlert] = []

        /// There is more to look at: the next round should not wait.
        package var hasMore = false
    }

    /// So many passages are looked at in one step, at most.
    private static let stepLength = 80

    /// One step of what is to be matched, and of the entries whose time is over. It costs the same however long the history is.
    package func round(at now: Instant, limit: Int = stepLength) throws -> Findings {
        var findings = try step(at: now, limit: limit)
        try store.violations.settleTold(at: now)
        // Who is out, and not matched yet, has not overstayed: first all that is there is matched.
        guard !findings.hasMore else { return findings }
        let overstay = try overstayStep(at: now, limit: limit)
        findings.alerts += overstay.alerts
        findings.hasMore = findings.hasMore || overstay.hasMore
        return findings
    }

    /// Matches all that is new: after passages of the other post have arrived, or one was corrected.
    ///
    /// - Parameter steps: so many steps at most; what is left is for the rounds.
    @discardableResult
    package func catchUp(at now: Instant, steps: Int = .max) throws -> Findings {
        var all = Findings()
        for _ in 0..<steps {
            let findings = try step(at: now, limit: Self.stepLength)
            all.violations += findings.violations
            all.alerts += findings.alerts
            all.hasMore = findings.hasMore
            guard findings.hasMore else { break }
        }
        // What was found here may have been settled at the other post.
        try store.violations.settleTold(at: now)
        return all
    }

    /// Works off a part of the list of what is new, and then a part of the walk through everything, if one is due.
    private func step(at now: Instant, limit: Int) throws -> Findings {
        let rules = try rules()
        let work = try store.matches.work(limit: limit)
        guard !work.isEmpty else { return try sweep(rules, at: now, limit: limit) }
        var own: [UUID: MatchablePassage] = [:]
        var violations: [Violation] = []
        for item in work {
            guard let id = item.clientID, let passage = try store.matches.unmatched(item.side, clientID: id) else {
                continue
            }
            switch item.side {
            case .own:
                own[passage.clientID] = passage
            case .remote:
                violations += try pair(around: passage, rules, at: now)
                let counterparts = try store.matches.unmatched(
                    .own, resembling: passage, within: rules.matcher.window)
                for counterpart in counterparts { own[counterpart.clientID] = counterpart }
            }
        }
        var findings = Findings(hasMore: work.count == limit)
        findings.violations = try violations + match(Array(own.values), rules, at: now)
        // An entry that lost its match may be past its time: the walk through the entries has left it behind.
        let open = work.filter { $0.side == .own }.compactMap(\.clientID)
        let entries = try store.alerts.openEntries(among: open)
        findings.alerts = try raise(entries, rules, at: now)
        try goBack(to: entries, rules, at: now)
        try store.matches.finish(work)
        return findings
    }

    /// The earliest first: which of two passages gets a counterpart must not depend on who came to be known first.
    private func match(_ own: [MatchablePassage], _ rules: Rules, at now: Instant) throws -> [Violation] {
        try own.sorted { ($0.recordedAt, $0.clientID.uuidString) < ($1.recordedAt, $1.clientID.uuidString) }
            .flatMap { passage in
                do {
                    return try match(passage, rules, at: now)
                } catch let error as StoreError where error.kind == .unreadable {
                    return []
                }
            }
    }

    /// With another window what didn't match may match: everything is walked through once, in steps.
    private func sweep(_ rules: Rules, at now: Instant, limit: Int) throws -> Findings {
        let window = rules.matcher.window
        var progress = MatchProgress(recordedAt: Self.beginning, clientID: "", window: window)
        if let known = try store.matches.progress(MatchProgress.sweep), known.window == window { progress = known }
        guard progress.recordedAt < Self.end else { return Findings() }
        guard let page = try store.matches.nextPassages(after: progress, limit: limit) else {
            progress.recordedAt = Self.end
            try store.matches.set(progress, of: MatchProgress.sweep)
            return Findings()
        }
        let violations = try match(page.unmatched, rules, at: now)
        try store.matches.set(page.progress, of: MatchProgress.sweep)
        return Findings(violations: violations, hasMore: true)
    }

    private static let beginning = Instant(milliseconds: 0)
    private static let end = Instant(milliseconds: 253_402_300_799_000)

    private func match(_ passage: MatchablePassage, _ rules: Rules, at now: Instant) throws -> [Violation] {
        let violations = try pair(around: passage, rules, at: now)
        guard try store.matches.unmatched(.own, clientID: passage.clientID) != nil else { return violations }
        let others = try store.matches.unmatched(.remote, resembling: passage, within: rules.matcher.window)
        let possible = rules.matcher.possible(passage, among: others)
        if let uncrossed = try uncross(passage, possible, at: now) {
            return try violations + pair(around: uncrossed, rules, at: now)
        }
        _ = try store.matches.savePossible(possible, at: now)
        return violations
    }

    /// Works out the pairs around a passage that came, changed or lost its match: what was found here and another passage contradicts is
    /// taken back first, whatever order they came in. Note 0280.
    ///
    /// - Returns: the violations among the pairs that are new.
    private func pair(around passage: MatchablePassage, _ rules: Rules, at now: Instant) throws -> [Violation] {
        guard !passage.plate.isPartial else { return [] }
        var violations: [Violation] = []
        for _ in 0..<Self.attempts {
            let steps = try store.matches.steps(of: passage.plate, around: passage.recordedAt)
            let decision = rules.matcher.walk.decide(around: passage.recordedAt, among: steps)
            for id in decision.parted { try store.reconciliation.takeBackMatch(ofPassage: id, at: now) }
            var isWhole = true
            for match in decision.joined {
                let violation = Violation(match, on: rules.segment, id: makeID())
                guard try store.matches.save(match, violation: violation, at: now) else {
                    isWhole = false
                    continue
                }
                if let violation { violations.append(violation) }
            }
            if isWhole { break }
        }
        return violations
    }

    /// Where both posts judged a pair at once, the entry's takes its plate back.
    ///
    /// - Returns: the passage as it is then, to be matched again; nil where there is nothing to settle.
    private func uncross(
        _ passage: MatchablePassage, _ matches: [Match], at now: Instant
    ) throws -> MatchablePassage? {
        for match in matches {
            let other = match.entry.clientID == passage.clientID ? match.exit : match.entry
            guard let judgement = try store.passages.crossedJudgement(own: passage.clientID, remote: other.clientID),
                let plate = judgement.plateToTakeBack(
                    own: passage.plate, other: other.plate, isOwnEntry: match.entry.clientID == passage.clientID)
            else { continue }
            let corrected = try store.passages.correct(
                clientID: passage.clientID, to: plate,
                reason: "Both posts judged it at once: the word of \(other.checkpostCode) holds.", by: "checkpost",
                at: now)
            return MatchablePassage(corrected)
        }
        return nil
    }

    /// Raises the overstay alerts that are due.
    ///
    /// - Parameter steps: so many at most; what is left is for the rounds.
    /// - Returns: those that are new.
    @discardableResult
    package func overstayRound(steps: Int = .max, at now: Instant) throws -> [OverstayAlert] {
        var alerts: [OverstayAlert] = []
        for _ in 0..<steps {
            let step = try overstayStep(at: now, limit: Self.stepLength)
            alerts += step.alerts
            guard step.hasMore else { break }
        }
        return alerts
    }

    /// Judges the next entries whose longest time is over. Each is judged once, and the walk goes on where it stopped; one that waits for
    /// the other post's ranger is asked again, and so the walk stays before it, while those behind it are judged.
    private func overstayStep(at now: Instant, limit: Int) throws -> Findings {
        let other = try store.otherPost.known()
        guard let known = other.knownUpTo else { return Findings() }
        let rules = try rules()
        let watch = OverstayWatch(segment: rules.segment)
        let until = watch.dueBefore(otherPostKnownUpTo: known, now: now)
        var place = try store.matches.progress(MatchProgress.overstay) ?? Self.firstEntry
        let start = place
        var first: MatchProgress?
        var findings = Findings()
        for _ in 0..<Self.mostHeldPages {
            let page = try store.alerts.nextEntries(after: place, until: until, limit: limit)
            findings.alerts += try raise(page.entries, rules, at: now)
            let held = page.entries.first { watch.isUndecided($0, other: other, now: now) }
            if first == nil, let held { first = Self.before(held.passage) }
            place = page.progress
            guard page.isFull else { break }
            if first == nil {
                findings.hasMore = true
                break
            }
        }
        let end = first ?? place
        if end != start { try store.matches.set(end, of: MatchProgress.overstay) }
        return findings
    }

    /// So many pages of entries are looked at behind one that waits: a day and more at 2,000 vehicles.
    private static let mostHeldPages = 12

    private static let firstEntry = MatchProgress(recordedAt: beginning, clientID: "", window: .milliseconds(0))

    private static func before(_ passage: MatchablePassage) -> MatchProgress {
        MatchProgress(recordedAt: passage.recordedAt, clientID: "", window: .milliseconds(0))
    }

    /// Takes the walk back to an entry that it has passed and that gets its answer only later.
    private func goBack(to entries: [OverstayWatch.OpenEntry], _ rules: Rules, at now: Instant) throws {
        let other = try store.otherPost.known()
        let watch = OverstayWatch(segment: rules.segment)
        guard let place = try store.matches.progress(MatchProgress.overstay),
            let earliest = entries.filter({ watch.isUndecided($0, other: other, now: now) })
                .map(\.passage).min(by: { $0.recordedAt < $1.recordedAt }), earliest.recordedAt < place.recordedAt
        else { return }
        try store.matches.set(Self.before(earliest), of: MatchProgress.overstay)
    }

    private func raise(
        _ entries: [OverstayWatch.OpenEntry], _ rules: Rules, at now: Instant
    ) throws -> [OverstayAlert] {
        guard !entries.isEmpty else { return [] }
        let exempt = Set(try store.exemptPlates.list().map(\.plate))
        let alerts = OverstayWatch(segment: rules.segment).alerts(
            entries: entries.filter { !exempt.contains($0.passage.plate) }, other: try store.otherPost.known(), now: now
        )
        return alerts.isEmpty ? [] : try store.alerts.raise(alerts, onlyWhileKnown: true, at: now)
    }
}
