import Crypto
import Foundation

/// One entry of a box's evidence chain: a text of lines that is hashed, signed, and named with its hash by the entry after it.
///
/// ```
/// checkpost evidence 1
/// chain: 6f1c24b0-5c0e-4f54-9a53-0d3b8d1f8c11
/// number: 42
/// SHA256 (0000000041.txt) = 3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b
/// at: 2026-11-21T08:30:06.000Z
/// kind: passage
/// …
/// ```
///
/// The fourth line is such that `sha256sum --check 0000000042.txt` tries the file of the entry before; the first entry has none. UTF-8,
/// each line ends with one line feed, the last one too. A value that there is not is `none`.
package struct EvidenceEntry: Sendable, Equatable {
    package var chain: UUID

    /// From 1.
    package var number: Int

    /// The hash of the entry before; nil for the first.
    package var before: String?

    /// When it was written, by the box's clock.
    package var at: Instant
    package var fact: EvidenceFact

    /// - Parameter head: where the chain ends so far; nil for the first entry.
    package init(_ fact: EvidenceFact, chain: UUID, after head: EvidenceHead?, at now: Instant) {
        self.chain = chain
        number = (head?.number ?? 0) + 1
        before = head?.hash
        at = now
        self.fact = fact
    }

    package static let firstLine = "checkpost evidence 1"

    /// The longest value, in characters: names and reasons are shorter everywhere else.
    private static let longestValue = 500

    package var text: String {
        var lines = [Self.firstLine, "chain: \(chain.uuidString.lowercased())", "number: \(number)"]
        if let before { lines.append("SHA256 (\(Self.fileName(number - 1))) = \(before)") }
        lines.append("at: \(at.iso8601)")
        lines += fact.lines.map { "\($0.name): \($0.value.map { LogText.of($0, limit: Self.longestValue) } ?? "none")" }
        return lines.map { $0 + "\n" }.joined()
    }

    package var head: EvidenceHead { EvidenceHead(chain: chain, number: number, hash: Self.hash(of: text)) }

    /// `0000000042.txt`: sorted by name, entries are in order.
    package static func fileName(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 10 - digits.count)) + digits + ".txt"
    }

    /// SHA-256, lower-case hexadecimal.
    package static func hash(of text: String) -> String { hexadecimal(SHA256.hash(data: Data(text.utf8))) }

    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
