import Enforcement
import Foundation
import Storage

/// Matches passages with those of the other post, and watches for vehicles that stay too long.
///
/// It may run as often as one likes: what is matched stays matched, and an alert is raised once.
struct MatchingService: Sendable {
    let store: Store
    let segment: Segment
    let matcher: PassageMatcher

    /// Another writer may match a passage between our look and our write; then we look again, this often at most.
    private static let attempts = 3

    /// Matches passages that were just recorded, the earliest first.
    ///
    /// - Returns: the violations that were found, those of exempt vehicles among them.
    @discardableResult
    func match(_ passages: [Passage], at now: Instant) throws -> [Violation] {
        try passages.sorted { $0.recordedAt < $1.recordedAt }
            .compactMap { try match(MatchablePassage($0), at: now) }
    }

    /// Tries all unmatched passages of this post again: after a start, and when passages of the other post have arrived.
    @discardableResult
    func retryPending(at now: Instant) throws -> [Violation] {
        let longAgo = Instant(milliseconds: 0)
        let farAhead = Instant(milliseconds: 253_402_300_799_000)
        let others = try store.unmatchedRemotePassages(from: longAgo, to: farAhead)
        guard let first = others.map(\.recordedAt).min(), let last = others.map(\.recordedAt).max() else { return [] }
        let own = try store.unmatchedPassages(from: first - matcher.window, to: last + matcher.window)
        return try own.sorted { $0.recordedAt < $1.recordedAt }.compactMap { try match($0, at: now) }
    }

    private func match(_ passage: MatchablePassage, at now: Instant) throws -> Violation? {
        for _ in 0..<Self.attempts {
            let others = try store.unmatchedRemotePassages(
                from: passage.recordedAt - matcher.window, to: passage.recordedAt + matcher.window)
            switch matcher.match(passage, among: others) {
            case .pending:
                return nil
            case .possible(let matches):
                _ = try store.savePossible(matches, at: now)
                return nil
            case .matched(let match):
                let violation = Violation(match, on: segment, id: UUID())
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
        let known = try store.otherPostKnownUpTo()
        let watch = OverstayWatch(segment: segment)
        let exempt = Set(try store.exemptPlates().map(\.plate))
        let entries = try store.openEntries(
            from: Instant(milliseconds: 0), until: now - segment.longestTravelTime
        ).filter { !exempt.contains($0.passage.plate) }
        return try store.raise(watch.alerts(entries: entries, otherPostKnownUpTo: known, now: now), at: now)
    }
}
