import Enforcement
import Foundation
import ParkAPI

/// Passages that came by SMS, and the uploads that complete them.
extension ParkServer {
    /// As the server's webhook takes a text, of either version.
    func take(text: String) {
        for passage in (try? SMSDecoder.passages(in: text)) ?? [] { take(passage) }
    }

    /// A text of another post that a box kept for it.
    func handInText(_ request: Asked) -> Answered {
        guard let handed = try? JSONDecoder().decode(HandedText.self, from: request.body) else {
            return error(400, "PT400", "text is needed")
        }
        take(text: handed.text)
        return .json(["result": "inserted"])
    }

    private func take(_ passage: SMSPassage) {
        lock.withLock {
            guard let text = try? SMSEncoder.encode(passage) else { return }
            let identity = SMSEncoder.clientID(of: text).sent
            let cells: [PassageColumn: Any] = [
                .id: identity, .clientID: identity, .smsClientID: identity, .source: PassageSource.sms.rawValue,
                .plate: passage.compactPlate, .vehicleType: passage.vehicleType.rawValue,
                .checkpost: passage.checkpostCode == "BNP-A" ? Self.postA : Self.postB,
                .segment: Self.segment, .recordedAt: passage.recordedAt.iso8601, .clockState: "synchronised",
                .match: NSNull(),
            ]
            let row = Row(cells: cells)
            // Of a passage that was uploaded before its text and deleted since, the text's id is not known.
            let isOfDeleted = rows(.deletedPassages).contains { second($0) == second(row) && isSame($0, row) }
            guard refusals[passage.compactPlate] == nil, !isDeleted(row), !isOfDeleted else { return }
            if let known = rows(.passages).first(where: { isSame($0, row) }) {
                if known.text(PassageColumn.smsClientID) == nil {
                    change(id: known.text(PassageColumn.id) ?? "", [PassageColumn.smsClientID: identity])
                }
                return
            }
            insert(cells)
            onPassage(row)
        }
    }

    /// The row of a text that this upload completes.
    func textRow(of upload: Row) -> Row? {
        rows(.passages).first {
            $0.text(PassageColumn.source) == PassageSource.sms.rawValue
                && $0.text(PassageColumn.clientID) == $0.text(PassageColumn.smsClientID)
                && second($0) == second(upload) && isSame($0, upload)
        }
    }

    /// The row keeps its id, plate and whole second; all else is the upload's.
    ///
    /// - Returns: the id of the row that was completed.
    func complete(_ text: Row, with upload: Row) -> String {
        let id = text.text(PassageColumn.id) ?? ""
        let kept: [PassageColumn] = [.smsClientID, .plate, .recordedAt, .source]
        change(Table.passages.rawValue, id: id, upload.filter { !kept.map(\.rawValue).contains($0.key) })
        onCompletion(upload)
        return id
    }

    /// A passage that is here and names a text. One that is under way leaves its name; where it found no row of its own, the text's row is
    /// the same vehicle once more.
    ///
    /// - Returns: the id of the row that stays; nil where there is nothing to join.
    func join(_ upload: Row) -> String? {
        guard let sms = upload.text(PassageColumn.smsClientID),
            let known = rows(.passages).first(where: {
                $0.text(PassageColumn.clientID) == upload.text(PassageColumn.clientID)
            }), let id = known.text(PassageColumn.id)
        else { return nil }
        guard let doubled = textRow(of: upload) else {
            guard known.text(PassageColumn.smsClientID) == nil, second(known) == second(upload) else { return nil }
            self.change(id: id, [PassageColumn.smsClientID: sms])
            return id
        }
        guard doubled.text(PassageColumn.smsClientID) == sms, let gone = doubled.text(PassageColumn.id), id != gone
        else { return nil }
        removeRows(.violations) { row in
            row.text(ViolationColumn.entry) == gone || row.text(ViolationColumn.exit) == gone
        }
        removeRows(.passages) { $0.text(PassageColumn.id) == gone }
        let change: [ChangeColumn: Any] = [
            .id: makeID(), .clientID: sms, .checkpost: doubled[PassageColumn.checkpost] ?? "",
            .passage: NSNull(), .kind: ChangeKind.withdrawn.rawValue,
            .createdAt: clock?.now.iso8601 ?? "2026-11-21T10:00:00Z",
        ]
        insert(change)
        self.change(id: id, [PassageColumn.smsClientID: sms])
        if let partner = doubled.text(PassageColumn.match) {
            self.change(id: partner, [PassageColumn.match: NSNull()])
        }
        onGone(doubled)
        return id
    }

    /// By the text's own id; where that is not known, by post, plate and second.
    private func isSame(_ row: Row, _ other: Row) -> Bool {
        guard row.text(PassageColumn.checkpost) == other.text(PassageColumn.checkpost) else { return false }
        if let id = row.text(PassageColumn.smsClientID), id == other.text(PassageColumn.smsClientID) { return true }
        return row.text(PassageColumn.plate) == other.text(PassageColumn.plate) && second(row) == second(other)
    }

    private func second(_ row: Row) -> Int64? {
        row.text(PassageColumn.recordedAt).flatMap(Instant.init(iso8601:)).map { $0.milliseconds / 1000 }
    }
}
