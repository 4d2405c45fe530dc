import HTTPTypes
import Hummingbird
import Ranger
import Storage

/// Why a request is not answered as asked, with the name of a text that says it.
struct ConsoleError: Error, Equatable {
    var status: HTTPResponse.Status
    var text: String

    /// For programs: more than the text says.
    var detail: String?
    var retryAfterSeconds: Int?

    /// The methods that the page has.
    var allowed: String?

    init(
        _ status: HTTPResponse.Status, _ text: String, detail: String? = nil, retryAfterSeconds: Int? = nil,
        allowed: String? = nil
    ) {
        self.status = status
        self.text = text
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
        self.allowed = allowed
    }

    static let notFound = ConsoleError(.notFound, "error_not_found")
    static let forbidden = ConsoleError(.forbidden, "error_forbidden")
    static let signedOut = ConsoleError(.unauthorized, "sign_in")
    static let tooLarge = ConsoleError(.contentTooLarge, "error_too_large")
    static let input = ConsoleError(.unprocessableContent, "error_input")

    init(_ refusal: RangerRefusal) {
        switch refusal {
        case .plate, .notRead: self.init(.unprocessableContent, "error_plate", detail: refusal.description)
        case .samePlate: self.init(.conflict, "error_same_plate")
        case .reason: self.init(.unprocessableContent, "error_reason")
        case .fine: self.init(.unprocessableContent, "error_fine")
        case .fineElsewhere: self.init(.unprocessableContent, "error_fine_kind")
        case .notes: self = .tooLarge
        case .unknownViolation: self = .notFound
        case .closed: self.init(.conflict, "error_closed")
        case .outcomeChanged: self.init(.conflict, "error_outcome_changed", detail: refusal.description)
        case .gone: self.init(.conflict, "error_gone", detail: refusal.description)
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
