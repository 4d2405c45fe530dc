import Enforcement
import Foundation
import ParkAPI
import Storage
import Synchronizer

/// Writes the evidence of a violation into a folder: pictures, a record, what both boxes signed, their public keys, and the steps by which
/// a clerk verifies it.
package struct EvidenceExport {
    private let configuration: Configuration
    private let store: Store

    package init(_ configuration: Configuration, store: Store) {
        self.configuration = configuration
        self.store = store
    }

    package struct Report: Sendable {
        package var files: Int

        /// What keeps it from being whole evidence, a sentence each.
        package var problems: [String]
    }

    /// The number of the certificate of the distance that a violation was judged with: the server's, or else the file's. Of another distance
    /// none is known.
    private func certificate(of found: Violation) throws -> String? {
        let told = try store.segments.segment(ofCheckpost: configuration.post.code)?.segment
        return [told, configuration.segment].compactMap(\.self).first {
            $0.distanceCertificate != nil && $0.distanceKm == found.distanceKm
        }?.distanceCertificate
    }

    /// - Parameter id: the violation's, or how it begins.
    /// - Throws: `AdvisedError` for no such violation, or a folder that is not empty or can't be written.
    package func write(_ id: String, into path: String, at now: Instant) throws -> Report {
        let stored = try find(id)
        let folder = URL(fileURLWithPath: path)
        let standing = try? FileManager.default.contentsOfDirectory(atPath: path)
        guard standing?.isEmpty != false else {
            throw AdvisedError(
                "\(path) is not empty.", hint: "Name a folder that isn't there yet: evidence stands by itself.")
        }
        let found = stored.violation
        let sides = [
            try side(.entry, found.entryClientID, found.entryTime), try side(.exit, found.exitClientID, found.exitTime),
        ]
        let record = EvidenceRecord(
            stored, entry: Self.told(sides[0]), exit: Self.told(sides[1]),
            certificate: try certificate(of: found), problems: sides.flatMap(\.problems), at: now)
        var files: [(String, Data)] = sides.flatMap(Self.files(of:))
        files.append(("record.json", try JSONEncoder.sorted.encode(record) + Data("\n".utf8)))
        files.append(("record.txt", Data(record.text.utf8)))
        let steps = EvidenceSteps(record: record, sides: sides).text
        files.append(("STEPS.txt", Data(steps.utf8)))
        var problems = record.problems
        do {
            files.append(("evidence.pdf", try EvidencePaper(record: record, sides: sides, steps: steps, at: now).pdf()))
        } catch {
            // Everything that it shows is in the other files.
            problems.append("The PDF could not be drawn: \(String(sentence: error))")
        }
        do {
            for (name, bytes) in files {
                let file = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try bytes.write(to: file)
            }
        } catch {
            throw AdvisedError(
                "\(path) can't be written: \(error.localizedDescription)", hint: "Name a folder with room in it.")
        }
        return Report(files: files.count, problems: problems)
    }

    private func find(_ id: String) throws -> StoredViolation {
        if let whole = UUID(uuidString: id), let stored = try store.violations.violation(id: whole) { return stored }
        let wanted = id.lowercased()
        let all = try store.violations.list(ViolationFilter(includesWithdrawn: true), limit: 100_000)
            .filter { $0.id.uuidString.lowercased().hasPrefix(wanted) }
        guard !wanted.isEmpty, all.count == 1, let stored = all.first else {
            throw AdvisedError(
                all.count > 1 ? "Several violations begin with \(id)." : "There is no violation \(id).",
                hint: "`checkpost violations --json` lists them with their ids.")
        }
        return stored
    }

    private func side(_ end: EvidenceSide.End, _ passage: UUID, _ time: Instant) throws -> EvidenceSide {
        if let own = try store.passages.passage(clientID: passage) {
            let photo = try own.passage.photoSHA256.flatMap { try store.photos.record(sha256: $0) }
            let folder = URL(fileURLWithPath: store.path).deletingLastPathComponent()
            return EvidenceSide(
                end: end, passage: passage, time: time, entries: try store.evidence.around(passage: passage),
                picture: photo.flatMap { try? PhotoStore(folder: folder).read($0) })
        }
        let pictures = OtherPostPictures(folder: URL(fileURLWithPath: store.path).deletingLastPathComponent())
        var entries: [StoredEvidence] = []
        if let server = configuration.server {
            let address = PictureFetcher.Server(
                url: server.url, certificateFile: server.caFile, apiKey: server.anonKey, email: server.email)
            let tokens = TokenStore(path: configuration.dataFolder + "/server.tokens")
            entries = EvidenceFetcher(server: address, tokens: tokens).entries(ofPassage: passage) ?? []
            if !pictures.has(passage) {
                _ = PictureFetcher(server: address, tokens: tokens, pictures: pictures).fetch(passage)
            }
        }
        return EvidenceSide(
            end: end, passage: passage, time: time, entries: entries, picture: pictures.read(passage)?.bytes)
    }

    private static func pictureName(_ side: EvidenceSide) -> String? {
        side.picture.map { "\(side.end.rawValue).\(PictureType(of: $0).fileExtension)" }
    }

    private static func told(_ side: EvidenceSide) -> EvidenceRecord.Side {
        let text = side.recorded?.text
        return EvidenceRecord.Side(
            checkpost: side.checkpost, passage: side.passage.uuidString.lowercased(), recordedAt: side.time.iso8601,
            nepalTime: side.time.nepalText, clock: text?.value("clock"), plate: text?.value("plate"),
            read: text?.value("read"), confidence: text?.value("confidence"), origin: text?.value("origin"),
            by: text?.value("by"), picture: pictureName(side), pictureSHA256: side.pictureSHA256,
            evidence: side.recorded.map { side.path(of: $0.entry) },
            later: side.later.map { "\($0.text.value("kind") ?? "") in \(side.path(of: $0.entry))" })
    }

    private static func files(of side: EvidenceSide) -> [(String, Data)] {
        var files: [(String, Data)] = []
        if let name = pictureName(side), let picture = side.picture { files.append((name, picture)) }
        for entry in side.entries {
            let path = side.path(of: entry)
            files.append((path, Data(entry.text.utf8)))
            if let signature = entry.signature { files.append((path.replacing(".txt", with: ".sig"), signature)) }
        }
        for entry in side.entries {
            guard let key = entry.key, let pem = EvidenceText.pem(ofKey: key) else { continue }
            let path = "\(side.folder(of: entry.chain))/\(EvidenceSteps.keyFile(key))"
            if !files.contains(where: { $0.0 == path }) { files.append((path, Data(pem.utf8))) }
        }
        return files
    }
}
