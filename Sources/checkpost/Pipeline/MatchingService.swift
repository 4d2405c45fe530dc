import Enforcement
import Foundation
import Storage

/// Matches passages with those of the other post, and watches for vehicles that stay too long.
///
/// It may run as often as one likes: what is matched stays matched, and an alert is raised once. Limits, distance and window are
/// those of the server once it has told them, and before that those of the file.
struct MatchingService: Sendable {
    let store: Store
    private let checkpostCode: String
    private let fileSegment: Segment
    private let fileMatcher: PassageMatcher

    init(store: Store, configuration: Configuration) {
        self.store = store
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

    private func rules() throws -> Rules {
        Rules(
            segment: try store.segment(ofCheckpost: checkpostCode)?.segment ?? fileSegment,
            matcher: try ServerSettings(store).matchingWindow.map(PassageMatcher.init(window:)) ?? fileMatcher)
    }

    /// Matches passages that were just recorded, the earliest first.
    ///
    /// - Returns: the violations that were found, those of exempt vehicles among them.
    @discardableResult
    func match(_ passages: [Passage], at now: Instant) throws -> [Violation] {
        let rules = try rules()
        return try passages.sorted { $0.recordedAt < $1.recordedAt }
            .compactMap { try match(MatchablePassage($0), rules, at: now) }
    }

    /// Tries unmatched passages of this post again: after a start, and when passages of the other post have arrived.
    ///
    /// - Parameter since: leaves out passages of the other post that are older; nil tries all.
    @discardableResult
    func retryPending(at now: Instant, since: Instant? = nil) throws -> [Violation] {
        let farAhead = Instant(milliseconds: 253_402_300_799_000)
        let others = try store.unmatchedRemotePassages(from: since ?? Instant(milliseconds: 0), to: farAhead)
        guard let first = others.first?.recordedAt, let last = others.last?.recordedAt else { return [] }
        let rules = try rules()
        let window = rules.matcher.window
        let own = try store.unmatchedPassages(from: first - window, to: last + window)
        // Read once for all; only a passage that seems to have a partner is looked at again by itself.
        var start = 0
        return try own.compactMap { passage in
            while start < others.count, others[start].recordedAt < passage.recordedAt - window { start += 1 }
            let inReach = others[start...].prefix { $0.recordedAt <= passage.recordedAt + window }
            guard rules.matcher.match(passage, among: Array(inReach)) != .pending else { return nil }
            return try match(passage, rules, at: now)
        }
    }

    private func match(_ passage: MatchablePassage, _ rules: Rules, at now: Instant) throws -> Violation? {
        let window = rules.matcher.window
        for _ in 0..<Self.attempts {
            let others = try store.unmatchedRemotePassages(
                from: passage.recordedAt - window, to: passage.recordedAt + window)
            switch rules.matcher.match(passage, among: others) {
            case .pending:
                return nil
            case .possible(let matches):
                _ = try store.savePossible(matches, at: now)
                return nil
            case .matched(let match):
                let violation = Violation(match, on: rules.segment, id: UUID())
                if try store.save(match, violation: violation, at: now) { return violation }
            }
        }
        return nil
    }

    /// Raises the overstay alerts that are due.
    ///
    /// - Returns: those that are new.
    @discardableResult
    func overstayRound(at now: Instant) throws -> [OverstayAlert] {
        let other = try store.otherPost()
        let segment = try rules().segment
        let watch = OverstayWatch(segment: segment)
        let exempt = Set(try store.exemptPlates().map(\.plate))
        let entries = try store.openEntries(
            from: Instant(milliseconds: 0), until: now - segment.longestTravelTime
        ).filter { !exempt.contains($0.passage.plate) }
        return try store.raise(watch.alerts(entries: entries, other: other, now: now), at: now)
    }
}
