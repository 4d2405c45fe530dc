import Enforcement
import Foundation
import Storage

/// One end of a violation as evidence: what its box signed of the passage, and the picture.
struct EvidenceSide {
    enum End: String, Encodable {
        case entry, exit
    }

    var end: End
    var passage: UUID

    /// The time that the violation was judged by.
    var time: Instant

    /// In order; of several chains where the box began anew in between.
    var entries: [StoredEvidence]

    /// As it is here, and whether that is the camera's.
    var picture: Data?

    private var texts: [EvidenceText] { entries.map { EvidenceText($0.text) } }

    /// What was signed when it was recorded.
    var recorded: (entry: StoredEvidence, text: EvidenceText)? {
        zip(entries, texts).first {
            $1.value("kind") == "passage" && told($1)
        }
    }

    /// What was signed of it later: corrections, withdrawals, times, a late photo.
    var later: [(entry: StoredEvidence, text: EvidenceText)] {
        zip(entries, texts).filter { $1.value("kind") != "passage" && told($1) }
    }

    private func told(_ text: EvidenceText) -> Bool { text.value("passage") == passage.uuidString.lowercased() }

    /// The photo's hash as it was signed.
    var pictureSHA256: String? {
        recorded?.text.value("photo") ?? later.last { $0.text.value("kind") == "photo" }?.text.value("photo")
    }

    /// The time as it was signed last.
    var signedTime: Instant? {
        (later.last { $0.text.value("kind") == "timed" }?.text ?? recorded?.text)?.value("recorded")
            .flatMap(Instant.init(iso8601:))
    }

    var checkpost: String { recorded?.text.value("checkpost") ?? "unknown" }

    /// The folder of a chain's files.
    func folder(of chain: UUID) -> String {
        let chains = entries.map(\.chain).reduce(into: [UUID]()) { if !$0.contains($1) { $0.append($1) } }
        let place = chains.firstIndex(of: chain) ?? 0
        return "chain-\(end.rawValue)" + (place == 0 ? "" : "-\(place + 1)")
    }

    /// `chain-entry/0000000042.txt`
    func path(of entry: StoredEvidence) -> String {
        "\(folder(of: entry.chain))/\(EvidenceEntry.fileName(entry.number))"
    }

    /// What keeps this from being whole evidence, a sentence each.
    var problems: [String] {
        guard recorded != nil else {
            return [
                "What the box of the \(end.rawValue) signed is not here: the server was out of reach, or has none of it. Export again "
                    + "with a connection."
            ]
        }
        var problems: [String] = []
        if let signedTime, signedTime != time {
            problems.append("The \(end.rawValue)'s time \(time.iso8601) is not the signed one, \(signedTime.iso8601).")
        }
        if let wanted = pictureSHA256 {
            if let picture {
                if PhotoStore.sha256(of: picture) != wanted {
                    problems.append(
                        "The \(end.rawValue)'s picture here is a smaller copy. The one that was signed is at its own post."
                    )
                }
            } else {
                problems.append("The \(end.rawValue)'s picture is not here.")
            }
        } else {
            problems.append("The \(end.rawValue) has no picture.")
        }
        for (entry, before) in zip(entries.dropFirst(), entries) where entry.chain == before.chain {
            if !EvidenceText(entry.text).follows(EvidenceText(before.text)) {
                problems.append("\(path(of: entry)) doesn't follow the entry before it.")
            }
        }
        for (entry, text) in zip(entries, texts) {
            guard let signature = entry.signature, let key = entry.key, text.isSigned(by: signature, key: key) else {
                problems.append("\(path(of: entry)) is not signed.")
                continue
            }
        }
        if later.contains(where: { $0.text.value("kind") == "withdrawn" }) {
            problems.append("The \(end.rawValue) was withdrawn afterwards.")
        }
        return problems
    }
}
