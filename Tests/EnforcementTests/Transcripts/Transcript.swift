import Foundation
import TestKit
import Testing

@testable import Enforcement

/// What a machine does, a line a step, held against a file that people read beside the change that made it differ.
///
/// A machine is driven through a day that a seed draws, with its clock at the moments that the machine names, a millisecond before and
/// a millisecond after. Whoever changes what a machine does writes the files anew (`CHECKPOST_WRITE_TRANSCRIPTS=1`) and looks at
/// every line that changed.
struct Transcript {
    private(set) var lines: [String] = []
    let start = Instant(milliseconds: 1_795_255_200_000)

    mutating func add(_ line: String) { lines.append(line) }

    /// Seconds since the start, to the millisecond.
    func time(_ instant: Instant?) -> String {
        instant.map { Self.seconds($0 - start) } ?? "-"
    }

    static func seconds(_ span: TimeSpan) -> String {
        let whole = span.milliseconds / 1000
        let rest = abs(span.milliseconds % 1000)
        let sign = span.milliseconds < 0 && whole == 0 ? "-" : ""
        return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(String(1000 + rest).dropFirst())"
    }

    /// To three decimals: the last bits of a sum are no behaviour.
    static func figure(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }

    /// Holds the lines against the file of that name.
    func check(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appendingPathComponent("\(name).txt")
        if ProcessInfo.processInfo.environment["CHECKPOST_WRITE_TRANSCRIPTS"] != nil {
            try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        for (number, (line, other)) in zip(lines, expected).enumerated() where line != other {
            Issue.record("\(name).txt, line \(number + 1)\nwas: \(other)\nis:  \(line)", sourceLocation: sourceLocation)
            return
        }
        #expect(lines.count == expected.count, "\(name).txt", sourceLocation: sourceLocation)
    }
}

extension SeededGenerator {
    /// One of these, the first ones oftener where they stand there oftener.
    mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

    /// A share of all, in hundredths.
    mutating func hundredths(_ count: Int) -> Bool { below(100) < count }

    mutating func share() -> Double { Double(below(10_001)) / 10_000 }
}
