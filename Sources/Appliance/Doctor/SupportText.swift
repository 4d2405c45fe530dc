import Foundation

/// Takes out of a text what support has no need to see: plates and secrets.
struct SupportText {
    static let plate = "[plate]"
    static let secret = "[secret]"

    private let plates: Set<[Character]>
    private let longest: Int

    /// The longest first, so that none stands in another's way.
    private let secrets: [String]

    /// - Parameters:
    ///   - plates: those on record, in any way of writing.
    ///   - secrets: passwords, PINs and tokens of this box.
    init(plates: Set<String> = [], secrets: Set<String> = []) {
        self.plates = Set(plates.map(Self.bare).filter { $0.count >= 4 })
        longest = self.plates.map(\.count).max() ?? 0
        self.secrets = secrets.filter { $0.count >= 4 }.sorted { $0.count > $1.count }
    }

    /// Letters and digits, in capitals.
    private static func bare(_ text: String) -> [Character] {
        text.precomposedStringWithCompatibilityMapping.filter { $0.isLetter || $0.isNumber }.uppercased().map(\.self)
    }

    func clean(_ text: String) -> String {
        let known = secrets.reduce(text) { $0.replacing($1, with: Self.secret) }
        return known.split(separator: "\n", omittingEmptySubsequences: false).map {
            withoutPlates(Self.withoutSecrets(String($0)))
        }.joined(separator: "\n")
    }

    /// A configuration without remarks, values of several lines, and what stands in addresses behind the host.
    static func settings(_ toml: String) -> String {
        var (lines, end): ([String], String?) = ([], nil)
        for line in toml.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if let open = end {
                if line.contains(open) { end = nil }
                continue
            }
            let plain = line.trimmingCharacters(in: .whitespaces)
            if plain.hasPrefix("#") { continue }
            if let open = ["\"\"\"", "'''"].first(where: line.contains) {
                let key = line.split(separator: "=").first.map(String.init) ?? ""
                lines.append(key + "= " + secret)
                if line.ranges(of: open).count == 1 { end = open }
                continue
            }
            let code = plain.first == "[" ? line : String(line.prefix(upTo: remark(in: line)))
            lines.append(code.replacing(address) { "\($0.output.1)/…" })
        }
        return lines.joined(separator: "\n")
    }

    /// Where the remark behind a value begins.
    private static func remark(in line: String) -> String.Index {
        var quote: Character?
        for index in line.indices {
            let character = line[index]
            if character == quote { quote = nil } else if quote == nil, "\"'".contains(character) { quote = character }
            if quote == nil, character == "#" { return index }
        }
        return line.endIndex
    }

    // Names of plates' values in the log, up to the next name, the source in brackets or the end.
    nonisolated(unsafe) private static let named = /\b(plate(?:_\w+)?)=(.*?)(?= [a-z_]+=| \[|$)/
    // And in JSON.
    nonisolated(unsafe) private static let quoted = /("plate(?:_\w+)?"\s*:\s*)"[^"]*"/
    // A signed token, wherever it stands (RFC 7519).
    nonisolated(unsafe) private static let token = /\beyJ[\w\-]{5,}\.[\w\-]*\.?[\w\-]*/
    // A password may have an @ in it: the last one counts.
    nonisolated(unsafe) private static let account = /([a-z][a-z0-9+.\-]*:\/\/)[^\/\s"']+@/
    nonisolated(unsafe) private static let address = /([a-z][a-z0-9+.\-]*:\/\/[^\/\s"']*)\/[^\s"']+/
    nonisolated(unsafe) private static let pin = /\b(PIN|PUK)\s+[0-9]{4,8}\b/
    nonisolated(unsafe) private static let key =
        #/
        (?xi) (["']?\b [\w.\-]* (?: password | passwd | pwd | pass | pin | puk | secret | token | key | authorization | bearer
            | cookie | session | sig | signature) ["']?)
        (\s* [:=] \s* | \s+)
        ((?: bearer | basic) \s+ \S+ | "[^"]*" | '[^']*' | [^\s,;}\]]+)
        /#

    /// What is called a password, key or the like, and the account in an address. The name of a file is none.
    private static func withoutSecrets(_ line: String) -> String {
        line.replacing(token) { _ in secret }.replacing(account) { "\($0.output.1)\(secret)@" }
            .replacing(pin) { "\($0.output.1) \(secret)" }
            .replacing(key) { match in
                let isAssigned = match.output.2.contains { $0 == "=" || $0 == ":" }
                let isScheme = ["bearer", "authorization"].contains(match.output.1.lowercased())
                return isAssigned || isScheme ? "\(match.output.1)\(match.output.2)\(secret)" : String(match.output.0)
            }
    }

    private func withoutPlates(_ line: String) -> String {
        let line = line.replacing("%20", with: " ").replacing(Self.named) { "\($0.output.1)=\(Self.plate)" }
            .replacing(Self.quoted) { "\($0.output.1)\"\(Self.plate)\"" }
        guard longest > 0 else { return line }
        let words = Self.words(of: line)
        var (cleaned, from, index) = ("", line.startIndex, 0)
        while index < words.count {
            var (joined, best): ([Character], Int?) = ([], nil)
            for next in index..<words.count {
                // A plate's groups have one mark between them.
                if next > index, line.distance(from: words[next - 1].upperBound, to: words[next].lowerBound) > 2 {
                    break
                }
                joined += Self.bare(String(line[words[next]]))
                guard joined.count <= longest else { break }
                if plates.contains(joined) { best = next }
            }
            if let best {
                cleaned += line[from..<words[index].lowerBound] + Self.plate
                from = words[best].upperBound
                index = best + 1
            } else {
                index += 1
            }
        }
        return cleaned + line[from...]
    }

    /// The runs of letters and digits.
    private static func words(of line: String) -> [Range<String.Index>] {
        var (words, start): ([Range<String.Index>], String.Index?) = ([], nil)
        for index in line.indices {
            let isPart = line[index].isLetter || line[index].isNumber
            if isPart, start == nil { start = index }
            if !isPart, let begun = start {
                words.append(begun..<index)
                start = nil
            }
        }
        if let start { words.append(start..<line.endIndex) }
        return words
    }
}
