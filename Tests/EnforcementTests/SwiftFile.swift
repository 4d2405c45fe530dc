/// A Swift file, as far as the tidy tests look into it: by lines, trusting the formatter's layout.
struct SwiftFile {
    let path: String
    let lines: [Substring]

    init(path: String, text: String) {
        self.path = path
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        self.lines = lines
    }

    /// The modules that it imports, whatever attributes and access stand before the word.
    var imports: Set<String> {
        Set(
            lines.compactMap { line in
                let words = line.split(separator: " ")
                guard line.first != " ", !line.hasPrefix("//"), let index = words.firstIndex(of: "import"),
                    words[..<index].allSatisfy({ $0.hasPrefix("@") || Self.modifiers.contains($0) })
                else { return nil }
                let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
                let name = words[(index + 1)...].first { !kinds.contains($0) }
                return name?.split(separator: ".").first.map(String.init)
            })
    }

    /// Every function and initializer with its length, from the line of its name to the line of its closing brace: the first
    /// line indented as the declaration is that begins with a brace.
    var functions: [(line: Int, length: Int)] {
        lines.indices.compactMap { start in
            guard Self.declaresFunction(lines[start]) else { return nil }
            let indent = lines[start].prefix { $0 == " " }
            for end in start..<lines.count {
                if end > start, lines[end].hasPrefix(indent + "}") { return (start + 1, end - start + 1) }
                // A requirement of a protocol, or a function on one line, ends where the next thing of its level begins.
                if end > start, lines[end].prefix(while: { $0 == " " }).count <= indent.count,
                    !lines[end].isEmpty, !lines[end].dropFirst(indent.count).hasPrefix(")"),
                    !lines[end].hasPrefix("#"), !lines[end].hasPrefix("\"")
                {
                    return (start + 1, end - start)
                }
            }
            return (start + 1, lines.count - start)
        }
    }

    private static let modifiers: Set<Substring> = [
        "package", "public", "internal", "private", "fileprivate", "static", "mutating", "nonmutating", "override",
        "final", "class", "required", "convenience", "nonisolated", "isolated",
    ]

    private static func declaresFunction(_ line: Substring) -> Bool {
        for word in line.split(separator: " ") {
            if word == "func" || word.hasPrefix("init(") || word.hasPrefix("init?(") || word.hasPrefix("init<") {
                return true
            }
            guard modifiers.contains(word) || word.hasPrefix("@") else { return false }
        }
        return false
    }

    /// A line without its comment.
    static func code(_ line: Substring) -> Substring {
        if line.drop(while: { $0 == " " }).hasPrefix("//") { return "" }
        var previous: Character = " "
        for index in line.indices {
            // A slash of `http://` is no comment's.
            if line[index...].hasPrefix("//"), previous == " " { return line[..<index] }
            previous = line[index]
        }
        return line
    }

    /// Whether the text stands in the code, and not as the end of a longer word: `alias!` holds no `as!`.
    static func contains(_ text: String, in code: Substring) -> Bool {
        let isWord = text.first?.isLetter == true
        var previous: Character = " "
        for index in code.indices {
            if code[index...].hasPrefix(text), !isWord || !(previous.isLetter || previous.isNumber || previous == "_") {
                return true
            }
            previous = code[index]
        }
        return false
    }
}
