import Enforcement
import Foundation
import Storage

/// Everything that a ranger does to the records, once: the console's pages, its API, the text console and the command line all
/// come here, so that the same word makes the same record through each door.
///
/// It needs the store, the post, and somebody who matches.
package struct RangerActions: Sendable {
    let store: Store
    let checkpostCode: String
    private let time: @Sendable () -> StampedState
    private let match: @Sendable ([Passage]) throws -> [Violation]
    private let clock: @Sendable () -> Instant
    let outcomeGate = OutcomeGate()

    /// Letters and digits.
    package static let longestPlate = PlateNormalizer.maximumCompactLength
    package static let longestReason = 200
    package static let longestNotes = 1000

    /// - Parameters:
    ///   - time: how far the box's clock can be believed now.
    ///   - match: matches passages that were just recorded or changed, and says what was found. What fails is tried again with the
    ///     next round: the record stands.
    package init(
        store: Store, checkpostCode: String, time: @escaping @Sendable () -> StampedState,
        match: @escaping @Sendable ([Passage]) throws -> [Violation], clock: @escaping @Sendable () -> Instant
    ) {
        self.store = store
        self.checkpostCode = checkpostCode
        self.time = time
        self.match = match
        self.clock = clock
    }

    /// What a passage is now, and what matching found at once.
    package struct Recorded: Sendable {
        package var passage: Passage
        package var violations: [Violation]

        /// The camera had recorded it already: there is no second passage.
        package var wasThere = false
    }

    var now: Instant { clock() }
    var timeNow: StampedState { time() }

    func matched(_ passage: Passage) -> Recorded {
        // It is on record, and on the list of what is to be matched: the next round finds what isn't found now.
        Recorded(passage: passage, violations: (try? match([passage])) ?? [])
    }

    /// A plate as a person typed it.
    static func plate(_ typed: String) throws(RangerRefusal) -> Plate {
        do { return try PlateNormalizer.plate(typed: typed) } catch { throw .plate(error) }
    }

    /// One line that a terminal can show.
    static func reason(_ text: String) throws(RangerRefusal) -> String {
        let reason = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let isLine = !reason.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard (1...longestReason).contains(reason.count), isLine else { throw .reason }
        return reason
    }
}

extension RangerActions {
    /// Gives a recorded passage the right plate. Both versions are kept.
    package func correct(passage id: UUID, typed: String, reason: String, by ranger: String) throws -> Recorded {
        var plate = try Self.plate(typed)
        let reason = try Self.reason(reason)
        if let known = try store.passages.passage(clientID: id)?.passage.plate {
            // Typed without its spaces it has those of what was read.
            if !typed.contains(where: { !$0.isLetter && !$0.isNumber }) { plate = plate.spelled(like: known) }
            if known.canonical == plate.canonical { throw RangerRefusal.samePlate(known) }
        }
        let corrected = try outcomeGate.alone {
            try demandNoOutcome(ofPassage: id)
            return try store.passages.correct(clientID: id, to: plate, reason: reason, by: ranger, at: now)
        }
        return matched(corrected)
    }

    /// Takes a passage back: it was none. It stays on record.
    package func withdraw(passage id: UUID, reason: String, by ranger: String) throws {
        let reason = try Self.reason(reason)
        try outcomeGate.alone {
            try demandNoOutcome(ofPassage: id)
            try store.passages.withdraw(clientID: id, reason: reason, by: ranger, at: now)
        }
    }

    /// Somebody was fined, or let go, for what was judged of it: the warden decides, and the server holds to that too. Whoever is told of it
    /// only by the server's refusal has left the post by then.
    func demandNoOutcome(ofPassage id: UUID) throws {
        let judged = try store.violations.list(ViolationFilter(passage: id, hasOutcome: true), limit: 1)
        if let outcome = judged.first?.outcome { throw RangerRefusal.hasOutcome(outcome) }
    }
}
