import Enforcement

/// Files of a watched folder that look like pictures to a person and are not looked at: other formats, names that are no text.
///
/// One of each kind is kept, so it stays small however many there are.
package struct PassedOverFiles: Sendable, Equatable {
    /// Formats that a camera or a person may put there, videos among them, in lower case.
    private static let extensions: Set<String> = Set([
        "webp", "bmp", "tif", "tiff", "heic", "heif", "avif", "gif", "jp2", "jxl", "jfif", "jpe", "dng", "raw", "cr2",
        "nef",
        "arw", "pbm", "svg",
    ]).union(ReplayInput.videoExtensions)

    /// An example of each kind, by its extension; the empty one stands for names that aren't UTF-8.
    private var examples: [String: String] = [:]

    package var isEmpty: Bool { examples.isEmpty }

    /// What is there, for a person: `.bmp (such as a.bmp), names that aren't UTF-8 (such as …)`.
    package var description: String {
        examples.sorted { $0.key < $1.key }.map { kind, example in
            (kind.isEmpty ? "names that aren't UTF-8" : ".\(kind)") + " (such as \(LogText.of(example, limit: 80)))"
        }.joined(separator: ", ")
    }

    /// The kinds alone: what is new is told once.
    package var kinds: Set<String> { Set(examples.keys) }

    mutating func add(_ name: String) {
        guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return }
        let kind = name[name.index(after: dot)...].lowercased()
        if Self.extensions.contains(kind), examples[kind] == nil { examples[kind] = name }
    }

    /// - Parameter name: as far as it is text.
    mutating func addUnnamed(_ name: String) {
        if !name.hasPrefix("."), examples[""] == nil { examples[""] = name }
    }
}
