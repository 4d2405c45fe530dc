import Foundation
import TestKit
import Testing

@testable import Enforcement

/// The lines of a machine's transcript, and how times and figures are written in it.
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
        let difference = try TranscriptFile.difference(of: lines, from: name)
        #expect(difference == nil, sourceLocation: sourceLocation)
    }
}
