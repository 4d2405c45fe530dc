import Enforcement
import Foundation
import Pages

/// What the server holds of one violation, for somebody who trusts neither the server nor the boxes: the record, both pictures, and what the
/// boxes signed of both passages, in files that `sha256sum` and `openssl` verify.
struct EvidenceBundle: Sendable {
    /// As `evidence_of` gives them.
    struct Entry: Decodable, Sendable {
        var chain: String
        var number: Int
        var text: String
        var key: String?
        var signature: String?
        var anchoredAt: Micros?
    }

    struct Side: Sendable {
        var name: String
        var photo: PassagePhoto?
        var entries: [Entry]
    }

    /// The rows as they are, as JSON.
    var record: String
    var sides: [Side]

    /// How many entries of one passage are given: a box ends a parcel long before.
    private static let mostEntries = 1000

    /// Nil where the account sees no such violation.
    static func of(_ violation: String, _ connection: PostgresConnection) throws -> EvidenceBundle? {
        let row = try connection.run(
            """
            select e.id, e.client_id, x.id, x.client_id, jsonb_pretty(jsonb_build_object('violation', to_jsonb(v), 'entry', to_jsonb(e),
                'exit', to_jsonb(x), 'segment', to_jsonb(s), 'entry_post', a.code, 'exit_post', b.code,
                'outcome', (select to_jsonb(o) from violation_outcomes o where o.violation_id = v.id),
                'outcome_changes', (select coalesce(jsonb_agg(to_jsonb(o) order by o.id), '[]') from outcome_changes o
                    where o.violation_id = v.id),
                'passage_changes', (select coalesce(jsonb_agg(to_jsonb(c) order by c.created_at), '[]') from passage_changes c
                    where c.client_id in (e.client_id, x.client_id)),
                'pair_changes', (select coalesce(jsonb_agg(to_jsonb(c) order by c.created_at), '[]') from pair_changes c
                    where c.entry_passage_id in (e.id, x.id) or c.exit_passage_id in (e.id, x.id))))
            from violations v join vehicle_passages e on e.id = v.entry_passage_id join vehicle_passages x on x.id = v.exit_passage_id
                join checkposts a on a.id = e.checkpost_id join checkposts b on b.id = x.checkpost_id
                join highway_segments s on s.id = v.segment_id
            where v.id = $1::uuid
            """, [violation]
        ).rows.first
        guard let values = row?.compactMap(\.self), values.count == 5 else { return nil }
        let sides = try [("entry", values[0], values[1]), ("exit", values[2], values[3])].map { name, id, clientID in
            return Side(
                name: name, photo: try PassagePhoto.of(id, connection),
                entries: try connection.list(
                    Entry.self,
                    """
                    select e.chain, e.number, e.text, e.key, e.signature, \(Micros.of("e.anchored_at")) as anchored_at
                    from public.evidence_of($1::uuid) e limit \(mostEntries)
                    """, [clientID]))
        }
        return EvidenceBundle(record: values[4], sides: sides)
    }

    /// - Parameter photos: where the photos are.
    func archive(at now: Instant, photos: PhotoStore) throws -> Data {
        var archive = TarArchive(at: now)
        archive.add("record.json", Data((record + "\n").utf8))
        var missing: [String] = []
        for side in sides {
            if let photo = side.photo, let bytes = try photo.bytes(in: photos) {
                archive.add("\(side.name).\(photo.name.split(separator: ".").last ?? "jpg")", bytes)
            } else {
                missing.append("The picture of the \(side.name) is not here.")
            }
            if side.entries.isEmpty { missing.append("What the box of the \(side.name) signed is not here.") }
            for entry in side.entries {
                let path = path(side, entry)
                archive.add(path, Data(entry.text.utf8))
                if let signature = entry.signature.flatMap({ Data(base64Encoded: $0) }) {
                    archive.add(path.replacing(".txt", with: ".sig"), signature)
                }
            }
            var keys = Set<String>()
            for entry in side.entries {
                guard let key = entry.key, let pem = EvidenceText.pem(ofKey: key) else { continue }
                let path = "\(folder(side, entry))/key-\(key.prefix(16)).pem"
                if keys.insert(path).inserted { archive.add(path, Data(pem.utf8)) }
            }
        }
        archive.add("STEPS.txt", Data(steps(missing).utf8))
        return archive.closed
    }

    /// `chain-entry`, and `chain-entry-2` where the box began anew in between.
    private func folder(_ side: Side, _ entry: Entry) -> String {
        var chains: [String] = []
        for other in side.entries where !chains.contains(other.chain) { chains.append(other.chain) }
        let place = chains.firstIndex(of: entry.chain) ?? 0
        return "chain-\(side.name)" + (place == 0 ? "" : "-\(place + 1)")
    }

    private func path(_ side: Side, _ entry: Entry) -> String {
        folder(side, entry) + "/" + EvidenceEntry.fileName(entry.number)
    }

    private func steps(_ missing: [String]) -> String {
        let anchors = sides.flatMap { side in
            side.entries.compactMap { entry in
                entry.anchoredAt.map {
                    "  \(path(side, entry)): \($0.instant.iso8601)\n"
                }
            }
        }
        return """
            What the park's server holds of a violation
            ===========================================

            record.json has every number that it was judged by, and what was changed since. entry and exit are the pictures.
            Open a terminal in this folder. Lines that begin with $ are typed, without the $.
            \(missing.isEmpty ? "" : "\nThis is not whole:\n" + missing.map { "- \($0)\n" }.joined())
            1. The pictures: each must print the 64 digits that stand behind "photo:" in the entry of its passage.

            $ sha256sum entry.* exit.*

            2. Nothing was put in or taken out: each line must end with OK. The first entry of a folder names one that is not here.

            $ for d in chain-*; do (cd $d && for f in $(ls *.txt | tail -n +2); do sha256sum --check $f 2>&1 | head -1; done); done

            3. The boxes signed it: each line must be "Signature Verified Successfully" (one of the keys of the folder must fit).

            $ for f in chain-*/*.sig; do for k in ${f%/*}/key-*.pem; do openssl pkeyutl -verify -pubin -inkey $k -rawin -in ${f%.sig}.txt \
            -sigfile $f; done; done

            4. The server had these since:

            \(anchors.isEmpty ? "  none\n" : anchors.joined())
            """
    }
}
