/// Takes a query apart from the front, one character at a time.
package struct TextScanner {
    private var rest: Substring

    package init(_ text: String) {
        rest = text[...]
    }

    package var isAtEnd: Bool { rest.isEmpty }
    package var next: Character? { rest.first }
    package var remainder: String { String(rest) }

    package mutating func skip(_ text: String) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest.removeFirst(text.count)
        return true
    }

    /// Skips the text if the other one follows it, which stays.
    package mutating func skip(_ text: String, before next: String) -> Bool {
        rest.hasPrefix(text + next) && skip(text)
    }

    /// A name of letters, digits and underscores; nil when there is none.
    package mutating func name() -> String? {
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard !name.isEmpty, name.count <= 63 else { return nil }
        rest.removeFirst(name.count)
        return String(name)
    }

    /// A value in a list: in double quotes with `\` before a quote or a backslash, or bare up to one of `end`.
    package mutating func value(endingAt end: Set<Character>) -> String? {
        guard skip("\"") else {
            let bare = rest.prefix { !end.contains($0) }
            rest.removeFirst(bare.count)
            return String(bare)
        }
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return value
            case "\\":
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
            default: value.append(character)
            }
        }
        return nil
    }
}
