import Enforcement
import Foundation

/// What a notice to hand over says of a violation, before it is put into words. Decision note 0315.
package struct Notice: Sendable {
    /// The passage at one of the posts.
    package struct Side: Sendable {
        package var post: String
        package var time: Instant

        /// As the camera gave it; nil when it isn't here.
        package var picture: Picture?

        package init(post: String, time: Instant, picture: Picture?) {
            self.post = post
            self.time = time
            self.picture = picture
        }
    }

    package struct Picture: Sendable {
        package var bytes: Data

        /// Of the post that took it, in lower-case hexadecimal; nil for a copy of the other post's, which may be smaller.
        package var sha256: String?

        package init(bytes: Data, sha256: String? = nil) {
            self.bytes = bytes
            self.sha256 = sha256
        }
    }

    /// Who hands it over.
    package enum Writer: Sendable, Equatable {
        /// A ranger of a post, by name.
        case ranger(String, post: String)
        /// Somebody of the park's office.
        case office(String)
    }

    package var number: String
    package var violation: Violation
    package var outcome: Outcome?

    /// The road's name; nil where it isn't known.
    package var road: String?
    package var entry: Side
    package var exit: Side
    package var writer: Writer
    package var writtenAt: Instant

    package init(
        of violation: Violation, outcome: Outcome?, road: String?, entry: Side, exit: Side, by writer: Writer,
        at now: Instant
    ) {
        number = Self.number(of: violation, exitPost: exit.post)
        self.violation = violation
        self.outcome = outcome
        self.road = road
        self.entry = entry
        self.exit = exit
        self.writer = writer
        writtenAt = now
    }

    /// What a file of it is called.
    package var fileName: String {
        number.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") } + ".pdf"
    }

    /// Names a violation on paper, the same however often and wherever it is printed: the post of the exit, its day in Nepal, and what
    /// tells it from all others of that day.
    package static func number(of violation: Violation, exitPost: String) -> String {
        let day = CivilTime(violation.exitTime, offset: CivilTime.nepalOffset).dateText.replacing("-", with: "")
        return "\(exitPost)-\(day)-\(violation.entryClientID.uuidString.prefix(8))"
    }
}
