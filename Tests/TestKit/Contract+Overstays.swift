import Foundation

extension Contract {
    /// Entries without an exit, and what is known of the other post.
    package struct Overstays: Decodable, Sendable {
        package var segment: Segment
        package var cases: [Overstay]
    }

    package struct Overstay: Decodable, Sendable, CustomStringConvertible {
        package struct Waiting: Codable, Sendable {
            package var at: String
            package var plate: String

            /// Nobody watched from then on.
            package var unwatched_from: String?
        }

        package var name: String
        package var plate: String
        package var clock: String

        /// Which way it went; nil where nobody knows.
        package var travel: String?
        package var at: String
        package var now: String
        package var known: String?
        package var as_of: String?
        package var waiting: [Waiting]

        /// Nil when there is no alert; empty when it is certain.
        package var doubts: [String]?
        package var description: String { name }
    }

    package static func overstays() throws -> Overstays { try decode("overstays.json") }
}
