/// The commented sample configuration, made of the schema: it can't fall behind it.
package enum ConfigurationSample {
    package static var text: String {
        let head = """
            # Checkpost. `checkpost config check` explains every mistake in this file.
            # Keys that are commented out show their usual values. The server's settings replace those of this file.
            """
        return ([head] + ConfigurationSchema.sections.map(section)).joined(separator: "\n\n")
    }

    private static func section(_ section: (name: String, help: String, isRequired: Bool)) -> String {
        let header = section.name == "camera" ? "[[camera]]" : "[\(section.name)]"
        var lines = ["# \(section.help)"]
        // A server or a modem that isn't there yet must not be half configured.
        let isOptional = ["server", "sync", "sms", "modem", "trigger", "peer", "backup", "update"].contains(
            section.name)
        lines.append(isOptional ? "#\(header)" : header)
        for key in ConfigurationSchema.keys(of: section.name) {
            let kinds = key.cameraKinds.map { " (only \($0.joined(separator: ", ")))" } ?? ""
            lines += wrapped("\(key.help)\(kinds)")
            let isWritten = key.isRequired || (section.name == "camera" && key.name == "path")
            lines.append("\(isWritten && !isOptional ? "" : "#")\(key.name) = \(key.example)")
        }
        return lines.joined(separator: "\n")
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var line = "#"
        for word in text.split(separator: " ") {
            if line.count + word.count + 1 > 100 {
                lines.append(line)
                line = "#"
            }
            line += " " + word
        }
        return lines + [line]
    }
}
