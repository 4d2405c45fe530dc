import Enforcement
import Foundation
import Storage

/// The page by which a clerk verifies an export with `openssl`, `sha256sum` and a pocket calculator. A line that begins with `$` is typed.
struct EvidenceSteps {
    let record: EvidenceRecord
    let sides: [EvidenceSide]

    var text: String {
        var parts = [
            """
            How to verify this evidence
            ===========================

            Violation \(record.violation): \(record.plate), \(record.kind). record.txt says it in words.

            You need a computer with openssl (3.0 or later) and sha256sum, as every Debian has them, and a pocket calculator.
            Open a terminal in this folder. Lines that begin with $ are typed, without the $. Nothing of the maker of the box
            is needed.
            """
        ]
        if !record.problems.isEmpty {
            parts.append(
                "This evidence is not whole:\n"
                    + record.problems.map { "- \($0)\n" }.joined().trimmingCharacters(in: .newlines))
        }
        parts.append(pictures)
        parts += sides.flatMap(chains)
        parts += sides.compactMap(anchors)
        parts.append(sum)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private var pictures: String {
        let steps = [(sides.first, record.entry), (sides.last, record.exit)].compactMap { side, told -> String? in
            guard let side, let picture = told.picture, let entry = side.recorded?.entry else { return nil }
            return """
                $ sha256sum \(picture)

                It must print the 64 digits that stand behind "photo:" in \(side.path(of: entry)).
                """
        }
        return
            (["1. The pictures are those that the cameras took\n-----------------------------------------------"]
            + steps)
            .joined(separator: "\n\n")
    }

    private func chains(_ side: EvidenceSide) -> [String] {
        Dictionary(grouping: side.entries, by: \.chain).sorted { $0.value[0].number < $1.value[0].number }.map {
            chain, entries in
            let folder = side.folder(of: chain)
            let later = entries.dropFirst().map { EvidenceEntry.fileName($0.number) }.joined(separator: " ")
            let signatures = Dictionary(grouping: entries.filter { $0.signature != nil }) { $0.key ?? "" }
                .sorted { ($0.value[0].number, $0.key) < ($1.value[0].number, $1.key) }
                .map { key, entries in
                    let names = entries.map { EvidenceEntry.fileName($0.number).replacing(".txt", with: "") }
                    return "$ for n in \(names.joined(separator: " ")); do openssl pkeyutl -verify -pubin "
                        + "-inkey \(folder)/\(Self.keyFile(key)) -rawin -in \(folder)/$n.txt -sigfile \(folder)/$n.sig; done"
                }
            var text = """
                2. The \(side.end.rawValue) was signed by the box, and nothing was put in or taken out (\(folder))
                ----------------------------------------------------------------

                \(signatures.joined(separator: "\n"))

                Each line that it prints must be "Signature Verified Successfully". The key is the one that the warden's report shows for
                this post, the first 16 digits of its public part: \(entries.compactMap(\.key).uniqued().map { String($0.prefix(16)) }
                    .joined(separator: ", ")).
                """
            if !later.isEmpty {
                text += """


                    $ cd \(folder) && for f in \(later); do sha256sum --check $f 2>&1 | head -1; done; cd ..

                    Each entry names the hash of the one before it. Each line that this prints must end with "OK".
                    """
            }
            return text
        }
    }

    private func anchors(_ side: EvidenceSide) -> String? {
        let anchors = side.entries.filter { $0.anchoredAt != nil }
        guard !anchors.isEmpty else { return nil }
        let rows = anchors.map { entry in
            "$ sha256sum \(side.path(of: entry))\n"
                + "  the server had this since \(entry.anchoredAt?.iso8601 ?? ""), as number \(entry.number) of chain "
                + entry.chain.uuidString.lowercased()
        }
        return """
            3. The park's server had the \(side.end.rawValue)'s chain at the time
            ------------------------------------------------------

            The server keeps what it was sent. The warden says which hash it has for these (table evidence_entries, column hash):

            \(rows.joined(separator: "\n"))
            """
    }

    private var sum: String {
        let limit = Wording.number(record.comparedWithKmh)
        let verdict =
            record.kind == Violation.Kind.speeding.rawValue
            ? "The speed must be above \(limit)" : "The speed must be below \(limit)"
        return """
            4. The speed
            ------------

            The times are those behind "recorded:" in \([sides.first, sides.last].compactMap { side in
                side?.recorded.map { side?.path(of: $0.entry) ?? "" } }.joined(separator: " and ")).
            From \(record.entry.recordedAt) to \(record.exit.recordedAt) are \(record.travelSeconds) seconds. On the calculator:

                \(record.formula)

            \(verdict) km/h: the limit is \(Wording.number(record.speedLimitKmh)) km/h, the tolerance
            \(Wording.number(record.toleranceKmh)) km/h or \(Wording.number(record.tolerancePercent)) % of the limit, whichever is more,
            in the driver's favour.
            The distance of \(Wording.number(record.distanceKm)) km \(certificate).
            """
    }

    private var certificate: String {
        record.distanceCertificate.map { "is that of the certificate \($0)" }
            ?? "has no certificate that the box knows of"
    }

    /// Of a public key, by its first digits.
    static func keyFile(_ key: String) -> String { "key-\(key.prefix(16)).pem" }
}

extension Array where Element: Hashable {
    /// Each once, where it stands first.
    func uniqued() -> [Element] {
        var seen = Set<Element>()
        return filter { seen.insert($0).inserted }
    }
}
