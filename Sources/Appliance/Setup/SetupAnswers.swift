import Foundation

/// What a technician answered, as sections of keys, and as the file that it becomes.
package struct SetupAnswers {
    /// A TOML value as it is written.
    package enum Value {
        case text(String)
        case number(Double)
        case whole(Int)

        package var toml: String {
            switch self {
            case .text(let text):
                "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
                    + "\""
            case .number(let number): String(number)
            case .whole(let number): String(number)
            }
        }
    }

    private(set) var sections: [(name: String, values: [(key: String, value: Value)])] = []

    package init() {}

    package mutating func add(_ section: String, _ values: [(String, Value?)]) {
        sections.append((section, values.compactMap { key, value in value.map { (key, $0) } }))
    }

    /// The file, each key with what it means.
    package var toml: String {
        let head = "# Written by `checkpost setup`. `checkpost config sample` prints every key that there is."
        return
            ([head]
            + sections.map { section in
                let header = section.name == "camera" ? "[[camera]]" : "[\(section.name)]"
                let lines = section.values.map { key, value in
                    let help = ConfigurationSchema.key(section.name, key)?.help ?? ""
                    return "# \(help)\n\(key) = \(value.toml)"
                }
                return ([header] + lines).joined(separator: "\n")
            }).joined(separator: "\n\n") + "\n"
    }
}
