extension Contract {
    /// Telephone numbers of accounts.
    package struct Phones: Decodable, Sendable {
        package struct Case: Decodable, Sendable {
            package var typed: String

            /// Nil when it is refused.
            package var kept: String?
        }

        package var cases: [Case]
    }

    package static func phones() throws -> Phones { try decode("phones.json") }
}
