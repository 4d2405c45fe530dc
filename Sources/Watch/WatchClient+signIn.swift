import Enforcement

extension WatchClient {
    private static let attempts = 3

    /// Asks for the password or PIN, again where it is wrong: whoever mistypes with a glove does so at night.
    ///
    /// - Parameters:
    ///   - say: tells why it is asked for again.
    ///   - ask: gives what is typed.
    /// - Throws: `AdvisedError` after three times, or where nothing answers.
    package func signIn(_ user: String, saying say: (String) -> Void, asking ask: () -> Secret) throws {
        for attempt in 1... {
            do {
                return try signIn(user, ask())
            } catch let refused as Refused {
                guard refused.status != 0 else {
                    throw AdvisedError("\(refused)", hint: "See whether the box runs: checkpost status.")
                }
                guard attempt < Self.attempts else {
                    throw AdvisedError("\(refused)", hint: "A technician gives another: checkpost user password NAME.")
                }
                say("\(refused)")
            }
        }
    }
}
