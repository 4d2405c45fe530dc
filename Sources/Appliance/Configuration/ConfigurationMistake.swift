/// Something in the configuration that can't stand, with where it is and what is allowed.
package struct ConfigurationMistake: Error, Equatable, Sendable, CustomStringConvertible {
    /// Counted from 1; nil when something is missing altogether.
    package var line: Int?

    /// What is wrong.
    package var problem: String

    /// What to write instead.
    package var allowed: String

    package var description: String {
        (line.map { "line \($0): " } ?? "") + "\(String(sentence: problem)) Allowed: \(String(sentence: allowed))"
    }
}

/// All mistakes of one file.
package struct ConfigurationError: Error, CustomStringConvertible {
    package var path: String
    package var mistakes: [ConfigurationMistake]

    package var description: String {
        "\(path) has \(mistakes.count == 1 ? "a mistake" : "\(mistakes.count) mistakes"):\n"
            + mistakes.map { "  \($0)" }.joined(separator: "\n")
    }
}
