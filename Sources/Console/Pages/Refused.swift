import HTTPTypes
import Hummingbird
import Pages
import Ranger

/// A form that was not taken, with what was typed in it and what stands against it: it is shown again, since whoever typed with a
/// glove does not type twice.
struct Refused: Sendable {
    let fields: Fields
    let error: ConsoleError

    /// What a person can mend in a form.
    private static let mendable: Set<String> = [
        "error_plate", "error_plate_stranger", "error_plate_long", "error_plate_part", "error_not_read", "error_gaps",
        "error_list_full",
        "error_same_plate", "error_reason", "error_fine", "error_fine_kind", "error_outcome_changed",
        "error_disk", "error_user_name", "error_user_taken", "error_password", "error_pin",
    ]

    var isMendable: Bool { Self.mendable.contains(error.text) }

    func said(_ texts: Texts) -> String { error.said(texts) }

    /// The text, if it is this field that it is about.
    func said(of names: Set<String>, _ texts: Texts) -> String? {
        names.contains(error.text) ? said(texts) : nil
    }
}

extension PageRoutes {
    /// The page with the form that was refused.
    ///
    /// - Throws: the error itself when nothing in the form can mend it, or when what it is about is gone.
    func formAgain(
        _ action: Action, _ refused: Refused, _ request: Request, _ context: ConsoleContext
    ) async throws -> Response {
        let id = refused.fields["id"]
        if action.path.hasPrefix("reviews/"), refused.error.text == "error_gone", let id, context.active != nil,
            let stored = try console.store.sightings.sighting(id: id), [.recorded, .discarded].contains(stored.state)
        {
            // Who was slower sees what the other one did, and goes on with the next.
            return .redirect(to: try console.afterReview("faster", of: id))
        }
        guard refused.isMendable, context.active != nil else { throw refused.error }
        switch action.path {
        case "outcomes": return try await outcomeAgain(refused, request, context)
        case "reviews/submit":
            guard let id, try console.store.sightings.sighting(id: id)?.state == .review else { throw refused.error }
            return try await reviewForm(id, request, context, refused: refused)
        case "passages/correct", "passages/withdraw":
            return try await HistoryRoutes(console: console).passageAgain(
                refused, isCorrection: action.path == "passages/correct", request, context)
        case "overstays/dismiss":
            return try await overstayList(request, context, refused: refused)
        case "wanted/add", "exempt/add", "users/add", "users/secret":
            let list = String(action.path.prefix { $0 != "/" })
            return try await ListRoutes(console: console).page(list, request, context, refused: refused)
        default: throw refused.error
        }
    }
}
