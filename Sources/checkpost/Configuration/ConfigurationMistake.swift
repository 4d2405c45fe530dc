/// Something in the configuration that can't stand, with where it is and what is allowed.
struct ConfigurationMistake: Error, Equatable, Sendable, CustomStringConvertible {
    /// Counted from 1; nil when something is missing altogether.
    var line: Int?

    /// What is wrong.
    var problem: String

    /// What to write instead.
    var allowed: String

    var description: String {
        (line.map { "line \($0): " } ?? "") + "\(problem). Allowed: \(allowed)" + (allowed.hasSuffix(".") ? "" : ".")
    }
}

/// All mistakes of one file.
struct ConfigurationError: Error, CustomStringConvertible {
    var path: String
    var mistakes: [ConfigurationMistake]

    var description: String {
        "\(path) has \(mistakes.count == 1 ? "a mistake" : "\(mistakes.count) mistakes"):\n"
            + mistakes.map { "  \($0)" }.joined(separator: "\n")
    }
}
