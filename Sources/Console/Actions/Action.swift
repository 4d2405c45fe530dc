import Enforcement
import Foundation
import Pages

/// Something that a ranger or a technician does. Pages send it as a form to `/do/…`, programs as JSON to `/api/…`: it is one
/// piece of code, and both go to the store.
struct Action: Sendable {
    /// What came of it.
    struct Done: Sendable {
        /// For programs.
        var answer: [String: String] = [:]

        /// For browsers: the next page.
        var next: String
    }

    let path: String
    let help: String
    let fields: String
    var isForTechnician = false
    let perform: @Sendable (Console, Fields, SessionKeeper.Active) async throws -> Done

    static let all: [Action] = review + findings + notices + lists + technician + peer + again
}
