extension Contract {
    /// Pairs of plates that may be one, or not.
    package struct LookAlikes: Decodable, Sendable {
        package var cases: [Pair]
    }

    package struct Pair: Decodable, Sendable, CustomStringConvertible {
        package var name: String
        package var one: String
        package var other: String
        package var may_be_same: Bool
        package var description: String { name }
    }

    package static func lookAlikes() throws -> [Pair] { try (decode("look_alikes.json") as LookAlikes).cases }
}
