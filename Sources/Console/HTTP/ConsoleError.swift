import HTTPTypes
import Pages
import Ranger
import Storage

/// What the console answers when it can't do what was asked.
typealias ConsoleError = PageError

extension ConsoleError {
    init(_ refusal: RangerRefusal) {
        switch refusal {
        case .plate(.tooShort): self.init(.unprocessableContent, "error_plate")
        case .plate(.stranger(let character)):
            self.init(.unprocessableContent, "error_plate_stranger", ["character": "\(character)"])
        case .plate(.tooLong):
            self.init(
                .unprocessableContent, "error_plate_long", ["count": "\(RangerActions.longestPlate)"])
        case .plate(.part): self.init(.unprocessableContent, "error_plate_part")
        case .notRead(let plate):
            self.init(.unprocessableContent, plate.compact.isEmpty ? "error_not_read" : "error_gaps")
        case .samePlate: self.init(.conflict, "error_same_plate")
        case .reason: self.init(.unprocessableContent, "error_reason")
        case .fine: self.init(.unprocessableContent, "error_fine")
        case .fineElsewhere: self.init(.unprocessableContent, "error_fine_kind")
        case .notes: self = .tooLarge
        case .unknownViolation: self = .notFound
        case .closed: self.init(.conflict, "error_closed")
        case .hasOutcome: self.init(.conflict, "error_has_outcome")
        case .outcomeChanged: self.init(.conflict, "error_outcome_changed", detail: refusal.description)
        case .listFull(let most): self.init(.conflict, "error_list_full", ["count": "\(most)"])
        case .listedByPark: self.init(.conflict, "error_listed_by_park")
        case .gone(let what): self.init(.conflict, Self.text(what), detail: refusal.description)
        }
    }

    private static func text(_ gone: RangerRefusal.Gone) -> String {
        switch gone {
        case .sighting, .possibleMatch: "error_gone"
        case .passage: "error_passage_gone"
        case .violation: "error_violation_gone"
        case .listed: "error_unlisted"
        }
    }

    init(_ error: StoreError) {
        switch error.kind {
        case .unknown: self.init(.conflict, "error_gone", detail: error.message)
        case .diskFull:
            self.init(
                HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "error_disk")
        case .refused: self.init(.conflict, "error_input", detail: error.message)
        default: self.init(.serviceUnavailable, "error_internal", detail: error.message)
        }
    }
}
