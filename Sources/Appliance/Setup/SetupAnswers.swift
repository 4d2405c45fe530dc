import Foundation
import TOMLKit

/// What a technician answered, as sections of keys, and as the file that it becomes.
///
/// It begins with what stands in the configuration, so that keys that setup doesn't ask for stay as they are.
package struct SetupAnswers: Codable, Equatable, Sendable {
    /// A TOML value as it is written.
    package enum Value: Codable, Equatable, Sendable {
        case text(String)
        case number(Double)
        case whole(Int)
        case flag(Bool)

        package var toml: String {
            switch self {
            case .text(let text):
                "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
                    + "\""
            case .number(let number): String(number)
            case .whole(let number): String(number)
            case .flag(let flag): String(flag)
            }
        }

        package var text: String? { if case .text(let text) = self { text } else { nil } }

        package var number: Double? {
            switch self {
            case .number(let number): number
            case .whole(let number): Double(number)
            default: nil
            }
        }
    }

    package typealias Section = [String: Value]

    /// By the section's name; cameras are apart.
    package var sections: [String: Section] = [:]
    package var cameras: [Section] = []

    /// A camera that is being asked for, or was given up: what was answered stands in brackets.
    package var unfinishedCamera: Section = [:]

    /// Passwords that were typed and are not in their files yet, by the file's name without its ending.
    package var secrets: [String: String] = [:]

    package init() {}

    /// What stands in a configuration.
    ///
    /// - Returns: nil when it is no TOML: then setup begins anew.
    package init?(standing text: String) {
        guard let table = try? TOMLTable(string: text) else { return nil }
        for section in ConfigurationSchema.sections {
            if section.name == "camera" {
                cameras = (table["camera"]?.array ?? TOMLArray()).compactMap { $0.table.map(Self.section) }
            } else if let content = table[section.name]?.table {
                sections[section.name] = Self.section(content)
            }
        }
    }

    private static func section(_ table: TOMLTable) -> Section {
        var section: Section = [:]
        for key in table.keys {
            guard let value = table[key] else { continue }
            switch value.type {
            case .string: section[key] = value.string.map(Value.text)
            case .int: section[key] = value.int.map(Value.whole)
            case .double: section[key] = value.double.map(Value.number)
            case .bool: section[key] = value.bool.map(Value.flag)
            default: continue
            }
        }
        return section
    }

    package subscript(section: String, key: String) -> Value? {
        get { sections[section]?[key] }
        set { sections[section, default: [:]][key] = newValue }
    }

    /// The file, each key with what it means.
    package var toml: String {
        var parts = ["# Written by `checkpost setup`. `checkpost config sample` prints every key that there is."]
        for section in ConfigurationSchema.sections {
            if section.name == "camera" {
                parts += cameras.map { Self.toml("[[camera]]", "camera", $0) }
            } else if let values = sections[section.name] {
                parts.append(Self.toml("[\(section.name)]", section.name, values))
            }
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static func toml(_ header: String, _ name: String, _ values: Section) -> String {
        let known = ConfigurationSchema.keys(of: name)
        let lines = known.compactMap { key in values[key.name].map { "# \(key.help)\n\(key.name) = \($0.toml)" } }
        // What the schema doesn't know stays: `config check` names it.
        let others = values.keys.sorted().filter { key in !known.contains { $0.name == key } }
        return ([header] + lines + others.compactMap { key in values[key].map { "\(key) = \($0.toml)" } })
            .joined(separator: "\n")
    }
}
