import Enforcement

/// Files of a watched folder that somebody may take for pictures and that are not looked at: other formats, names without an ending or that
/// are no text, folders that lie too deep.
///
/// One of each kind is kept, and of so many kinds at most, so it stays small however many there are.
package struct PassedOverFiles: Sendable, Equatable {
    /// What cameras and programs leave beside pictures and nobody takes for one, in lower case.
    private static let beside: Set<String> = [
        "txt", "xml", "json", "csv", "log", "md", "html", "ini", "db", "md5", "sha256", "tmp", "part", "filepart",
        "swp", "lock",
    ]
    private static let mostKinds = 12

    private static let unnamed = ""
    private static let withoutEnding = "."
    private static let deep = "/"

    /// An example of each kind, by its extension, or by one of the three above.
    private var examples: [String: String] = [:]

    package var isEmpty: Bool { examples.isEmpty }

    /// What is there, for a person: `.bmp (such as a.bmp), names that aren't UTF-8 (such as …)`.
    package var description: String {
        examples.sorted { $0.key < $1.key }.map { kind, example in
            Self.named(kind) + " (such as \(LogText.of(example, limit: 80)))"
        }.joined(separator: ", ")
    }

    private static func named(_ kind: String) -> String {
        switch kind {
        case unnamed: "names that aren't UTF-8"
        case withoutEnding: "names without an ending"
        case deep: "folders more than \(FolderDirectory.deepest) deep"
        default: ".\(kind)"
        }
    }

    /// The kinds alone: what is new is told once.
    package var kinds: Set<String> { Set(examples.keys) }

    mutating func add(_ name: String) {
        guard !name.hasPrefix(".") else { return }
        let kind = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        if !Self.beside.contains(kind) { keep(name, as: kind.isEmpty ? Self.withoutEnding : kind) }
    }

    /// - Parameter name: as far as it is text.
    mutating func addUnnamed(_ name: String) {
        if !name.hasPrefix(".") { keep(name, as: Self.unnamed) }
    }

    /// - Parameter folder: its path below the watched one.
    mutating func addDeep(_ folder: String) { keep(folder, as: Self.deep) }

    private mutating func keep(_ example: String, as kind: String) {
        if examples[kind] == nil, examples.count < Self.mostKinds { examples[kind] = example }
    }
}
