import Foundation

/// What a machine does, a line a step, as it stands in `Tests/Transcripts`.
///
/// A machine is driven through a day that a seed draws, with its clock at the moments that the machine names, a millisecond before and
/// a millisecond after. Whoever changes what a machine does writes the files anew (`CHECKPOST_WRITE_TRANSCRIPTS=1`) and looks at
/// every line that changed.
package enum TranscriptFile {
    /// The first line that is another one than in the file of that name; nil when there is none.
    package static func difference(of lines: [String], from name: String) throws -> String? {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appendingPathComponent("Transcripts").appendingPathComponent("\(name).txt")
        if ProcessInfo.processInfo.environment["CHECKPOST_WRITE_TRANSCRIPTS"] != nil {
            try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        for (number, (line, other)) in zip(lines, expected).enumerated() where line != other {
            return "\(name).txt, line \(number + 1)\nwas: \(other)\nis:  \(line)"
        }
        return lines.count == expected.count ? nil : "\(name).txt has \(expected.count) lines, and not \(lines.count)"
    }
}

extension SeededGenerator {
    /// One of these, the first ones oftener where they stand there oftener.
    package mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

    /// A share of all, in hundredths.
    package mutating func hundredths(_ count: Int) -> Bool { below(100) < count }

    package mutating func share() -> Double { Double(below(10_001)) / 10_000 }
}
