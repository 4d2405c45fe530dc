import HTTPTypes

/// A request that can't be answered as asked, with the name of a text that says it.
package struct PageError: Error, Equatable {
    package var status: HTTPResponse.Status
    package var text: String

    /// What stands in the text's places.
    package var values: [String: String]

    /// For programs and the log, in English: more than the text says. No page shows it.
    package var detail: String?
    package var retryAfterSeconds: Int?

    /// The methods that the page has.
    package var allowed: String?

    package init(
        _ status: HTTPResponse.Status, _ text: String, _ values: [String: String] = [:], detail: String? = nil,
        retryAfterSeconds: Int? = nil, allowed: String? = nil
    ) {
        self.status = status
        self.text = text
        self.values = values
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
        self.allowed = allowed
    }

    /// What a person is told, in their language.
    package func said(_ texts: Texts) -> String { texts(text, values) }

    package static let notFound = PageError(.notFound, "error_not_found")
    package static let forbidden = PageError(.forbidden, "error_forbidden")

    /// The form is too old, or another site sent it.
    package static let foreignForm = PageError(.forbidden, "error_form")
    package static let signedOut = PageError(.unauthorized, "sign_in")
    package static let tooLarge = PageError(.contentTooLarge, "error_too_large")
    package static let input = PageError(.unprocessableContent, "error_input")
}
