import Foundation

/// What was done about a violation at the other post, as that post tells it. A violation is named by its two passages: each post gives it an id
/// of its own.
package struct ToldOutcome: Sendable, Equatable {
    /// An outcome of this post that somebody of the other one saw, and replaced.
    package struct Replaced: Sendable, Equatable {
        package var by: String
        package var at: Instant

        package init(by: String, at: Instant) { (self.by, self.at) = (by, at) }
    }

    package var entry: UUID
    package var exit: UUID
    package var outcome: Outcome
    package var replaces: Replaced?

    package init(entry: UUID, exit: UUID, outcome: Outcome, replaces: Replaced? = nil) {
        (self.entry, self.exit, self.outcome, self.replaces) = (entry, exit, outcome, replaces)
    }

    /// What holds here of the violation.
    package struct Held: Sendable, Equatable {
        package var outcome: Outcome
        /// Whether it is what the other post told before.
        package var isTold: Bool
        /// Whether it is the server's word, or on its way there: then a change comes by way of the server, which may refuse it.
        package var isAtServer: Bool

        package init(outcome: Outcome, isTold: Bool, isAtServer: Bool) {
            (self.outcome, self.isTold, self.isAtServer) = (outcome, isTold, isAtServer)
        }
    }

    /// Of a note and of a name so many bytes go over the link: a form counts characters, and one character may hold any number of marks.
    package static let (mostNotes, mostName) = (8000, 600)

    /// Whole characters of a text, up to so many bytes.
    package static func bounded(_ text: String, _ most: Int) -> String {
        guard text.utf8.count > most else { return text }
        var bytes = 0
        return String(
            text.prefix { character in
                bytes += character.utf8.count
                return bytes <= most
            })
    }

    /// Whether it holds here from now on: where nobody acted, where it changes what was told before, or where it replaces what somebody here
    /// did and the other post knew of. Of two who acted without hearing of each other each keeps its own; the server says who counts.
    package func holds(over held: Held?) -> Bool {
        guard let held else { return true }
        let isSeen =
            !held.isAtServer
            && replaces.map { $0.by == held.outcome.recordedBy && $0.at == held.outcome.recordedAt } ?? false
        return (held.isTold || isSeen) && !held.outcome.saysTheSame(as: outcome)
    }
}
