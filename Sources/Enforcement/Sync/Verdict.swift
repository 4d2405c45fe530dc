/// What an exchange means for what was sent.
package enum Verdict: Sendable, Equatable {
    case accepted
    /// The server has it already.
    case duplicate
    /// The server refuses this record, and will again.
    case refused(String)
    /// Nothing was asked: the box itself can't write the record as a request.
    case unsendable(String)
    /// Something on the way, and not the server, finds what was sent too long: less at a time may pass.
    case tooLong(String)
    /// Sign in again.
    case unauthorised
    /// Either the record or the account may not: one has to look.
    case forbidden(String)
    /// The server, or something in its place, is not well; later it may be.
    case unwell(String, retryAfter: TimeSpan?)
    /// No answer: the link counts as down.
    case silent(String)

    /// More than this is not obeyed: a wrong number in `Retry-After` must not silence a post for a day.
    package static let longestRetryAfter = TimeSpan.minutes(15)

    /// For a message.
    package var reason: String {
        switch self {
        case .accepted: "accepted"
        case .duplicate: "the server has it already"
        case .refused(let reason), .forbidden(let reason), .unwell(let reason, _), .silent(let reason),
            .tooLong(let reason), .unsendable(let reason):
            reason
        case .unauthorised: "401: the server refuses the token"
        }
    }
}
