import Enforcement
import Foundation

/// What a notice to hand over says of a violation, before it is put into words.
struct Notice: Sendable {
    /// The passage at one of the posts.
    struct Side: Sendable {
        var post: String
        var time: Instant

        /// As the camera gave it; nil when it isn't here.
        var picture: Picture?
    }

    struct Picture: Sendable {
        var bytes: Data

        /// Of the post that took it, in lower-case hexadecimal; nil for a copy of the other post's, which may be smaller.
        var sha256: String?
    }

    var number: String
    var violation: Violation
    var outcome: Outcome?

    /// The road's name; nil where it isn't known.
    var road: String?
    var entry: Side
    var exit: Side

    /// The post that hands it over, and who.
    var post: String
    var ranger: String
    var writtenAt: Instant

    /// Names a violation on paper, the same however often and wherever it is printed: the post of the exit, its day in Nepal, and what
    /// tells it from all others of that day.
    static func number(of violation: Violation, exitPost: String) -> String {
        let day = CivilTime(violation.exitTime, offset: CivilTime.nepalOffset).dateText.replacing("-", with: "")
        return "\(exitPost)-\(day)-\(violation.entryClientID.uuidString.prefix(8))"
    }
}
