import Enforcement
import Foundation
import Storage

/// Has the records of some days sent or fetched once more, and says how far that is.
package struct DaysAgain {
    private let configuration: Configuration
    private let store: Store

    package init(_ configuration: Configuration, store: Store) {
        self.configuration = configuration
        self.store = store
    }

    /// - Throws: `AdvisedError` when there are too many.
    package func check(_ days: WantedDays) throws {
        guard days.isTooLong else { return }
        throw AdvisedError("That are more than \(WantedDays.mostDays) days.", hint: "Take them in several parts.")
    }

    /// What it will do, line by line.
    package func plan(_ days: WantedDays) throws -> [String] {
        let counts = try store.days.counts(from: days.from, until: days.until)
        var lines: [String]
        switch days.direction {
        case .send:
            let photos = days.hasPhotos ? " and \(Wording.count(counts.photos, "photo"))" : ""
            lines = [
                "\(Wording.count(counts.passages, "passage")), \(Wording.count(counts.corrections, "correction"))\(photos) of this post "
                    + "go to the server once more. It knows each by its id: nothing is doubled, and nothing goes by SMS.",
                "They are put in line 200 at a time: what is recorded meanwhile is not held up.",
            ]
            if counts.waiting > 0 {
                lines.append(
                    "\(counts.waiting) more of these days wait or were refused: they are in the queue as it is.")
            }
        case .fetch:
            lines = [
                "The passages of \(configuration.otherPostCode), violations, outcomes and alerts of these days are fetched once more. "
                    + "\(Wording.count(counts.others, "passage")) of it \(counts.others == 1 ? "is" : "are") here now; what is here stays one."
            ]
        }
        if let other = try store.days.wanted(days.direction) {
            lines.append("It takes the place of what is under way: \(Self.text(other)).")
        }
        return lines
    }

    package func want(_ days: WantedDays, at now: Instant) throws {
        try check(days)
        try store.days.want(days, at: now)
    }

    /// `sending 2026-11-20 to 2026-11-25 once more: up to 2026-11-22 12:30, 800 records`
    package static func text(_ days: WantedDays) -> String {
        func day(_ moment: Instant) -> String { CivilTime(moment, offset: CivilTime.nepalOffset).dateText }
        let verb = days.direction == .send ? "sending" : "fetching"
        return
            "\(verb) \(day(days.from)) to \(day(days.until - .milliseconds(1))) once more: up to \(days.place.nepalText), "
            + Wording.count(days.count, "record")
    }

    /// What is under way.
    package func underWay() throws -> [String] {
        try DaysDirection.allCases.compactMap { try store.days.wanted($0) }.map(Self.text)
    }

    /// Has a cycle made, and cycles after it until all is done, the time is over, or the server is out of reach.
    ///
    /// - Parameter say: told how far it is, now and then.
    /// - Returns: why it isn't done yet; nil when it is.
    package func run(_ direction: DaysDirection, timeoutSeconds: Int, say: (String) -> Void) async throws -> String? {
        let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
        var said: WantedDays?
        repeat {
            let problem = try await CycleByHand(configuration, store: store, timeoutSeconds: timeoutSeconds).run()
                .problem
            guard let rest = try store.days.wanted(direction) else { return nil }
            if let problem { return problem }
            if said?.place != rest.place { say(Self.text(rest)) }
            said = rest
            try await Task.sleep(for: .milliseconds(200))
        } while ContinuousClock.now < deadline
        return "it goes on in the background; `checkpost sync` shows how far it is"
    }
}
