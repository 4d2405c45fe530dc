import Enforcement
import Foundation

/// Why something that a ranger wants is not done. Nothing was changed.
package enum RangerRefusal: Error, Equatable, CustomStringConvertible {
    case plate(TypedPlateError)
    /// Nothing, or not all of it, was read, and nothing was typed.
    case notRead(Plate)
    case samePlate(Plate)
    case reason
    case fine
    /// A sum with another outcome than `fined`.
    case fineElsewhere
    case notes
    case unknownViolation
    /// A day after the first outcome it can't be changed any more.
    case closed
    /// What was judged of the passage has an outcome.
    case hasOutcome(Outcome)
    /// Another outcome holds than the one that was seen.
    case outcomeChanged(Outcome)
    case gone(Gone)
    /// The park's office lists it, and this post doesn't.
    case listedByPark(Plate)
    /// So many plates are watched for already.
    case listFull(Int)

    /// What is decided, or never was there.
    package enum Gone: Equatable, Sendable {
        case sighting(String)
        case possibleMatch(Int64)
        case passage
        case violation
        case listed(Plate)
    }

    package var description: String {
        switch self {
        case .plate(let problem): "That is no plate: \(problem)."
        case .notRead(let plate):
            plate.compact.isEmpty ? "Nothing was read of its plate." : "\(plate) has gaps: not all of it was read."
        case .samePlate(let plate): "The passage has the plate \(plate) already."
        case .reason: "A reason is one line of 1 to \(RangerActions.longestReason) characters."
        case .fine: "A fine is a sum in rupees: 500, 1,500 or 1500.50."
        case .fineElsewhere: "A sum belongs to the outcome fined, and to no other."
        case .notes: "Notes have at most \(RangerActions.longestNotes) characters."
        case .unknownViolation: "There is no such violation."
        case .closed: "The outcome can't be changed any more: the first one is a day old."
        case .hasOutcome(let outcome):
            "Its violation has an outcome: \(outcome.recordedBy) recorded \(outcome.kind.rawValue)."
        case .outcomeChanged(let latest):
            "Somebody was faster: \(latest.recordedBy) recorded \(latest.kind.rawValue)."
        case .listFull(let most): "At most \(most) plates are watched for."
        case .listedByPark(let plate): "The park's office lists \(plate)."
        case .gone(.sighting(let id)):
            "The sighting \(id.prefix(100)) is not waiting for review: it is decided, or never was there."
        case .gone(.possibleMatch(let id)): "The possible match \(id) is judged already, or never was there."
        case .gone(.passage): "There is no such passage, or it is withdrawn."
        case .gone(.violation): "The violation was withdrawn: a plate was corrected, or the server judged otherwise."
        case .gone(.listed(let plate)): "\(plate) is not on the list."
        }
    }

    /// What to do about it, for whom a page doesn't tell.
    package var hint: String {
        switch self {
        case .plate: "Write it in Latin or Devanagari letters and digits."
        case .notRead: "Look at its picture and type the whole plate."
        case .samePlate: "Nothing was changed."
        case .reason, .fine, .notes: "Write it so."
        case .fineElsewhere: "Choose fined, or leave the sum out."
        case .unknownViolation: "`checkpost violations` lists them."
        case .closed: "The park's warden can."
        case .hasOutcome: "Only the park's warden can change it now. If it was no violation, record let_go with a note."
        case .outcomeChanged: "Look at it, and record yours if it is to hold."
        case .listedByPark: "It is taken off the list there."
        case .listFull: "Take some off the list."
        case .gone: "Look at the list again."
        }
    }
}
