import Foundation

/// Finds the lines of a TOML file on which sections and keys stand, for messages. The TOML library reads the values.
struct ConfigurationLines {
    /// Line numbers by `section.key`, `section` and, for lists, `section[index].key`.
    private var lines: [String: Int] = [:]

    init(_ text: String) {
        var section = ""
        var counts: [String: Int] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("[[") {
                let name = Self.name(trimmed)
                section = "\(name)[\(counts[name, default: 0])]"
                counts[name, default: 0] += 1
                lines[section] = index + 1
                if lines[name] == nil { lines[name] = index + 1 }
            } else if trimmed.hasPrefix("[") {
                section = Self.name(trimmed)
                lines[section] = index + 1
            } else if !trimmed.hasPrefix("#"), let equals = trimmed.firstIndex(of: "=") {
                let key = trimmed[..<equals].trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'"))
                lines[section.isEmpty ? key : "\(section).\(key)"] = index + 1
            }
        }
    }

    subscript(path: String) -> Int? { lines[path] }

    private static func name(_ header: String) -> String {
        let end = header.firstIndex(of: "]") ?? header.endIndex
        return header[..<end].trimmingCharacters(in: CharacterSet(charactersIn: "[ \t\"'"))
    }
}
