/// What the body of an error says. Each part of the server, rows, accounts, photos and functions, has words of its own for it.
package struct ServerFault: Decodable, Sendable, Equatable {
    /// An SQLSTATE, or a name such as `PGRST204`.
    package var code: String?

    /// For a person.
    package var said: String?
    package var message: String?
    package var details: String?

    private enum CodingKeys: String, CodingKey {
        case code
        case errorCode = "error_code"
        case message
        case shortMessage = "msg"
        case description = "error_description"
        case error
        case details
    }

    /// A field of another kind than text, a number as the code for one, says nothing.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ keys: CodingKeys...) -> String? {
            keys.lazy.compactMap { try? fields.decode(String.self, forKey: $0) }.first
        }
        code = text(.code, .errorCode)
        said = text(.message, .shortMessage, .description, .error)
        message = text(.message)
        details = text(.details)
    }
}
