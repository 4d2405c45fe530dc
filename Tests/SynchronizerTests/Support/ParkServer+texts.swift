import Enforcement
import Foundation

/// Passages that came by SMS, and the uploads that complete them.
extension ParkServer {
    /// As the server's webhook takes a text.
    func take(text: String) {
        lock.withLock {
            guard case .success(let passage) = Result(catching: { try SMSDecoder.decode(text) }) else { return }
            let identity = SMSEncoder.clientID(of: text).uuidString.lowercased()
            let row: Row = [
                "id": identity, "client_id": identity, "sms_client_id": identity, "source": "sms",
                "plate_number": passage.compactPlate, "vehicle_type": passage.vehicleType.rawValue,
                "checkpost_id": passage.checkpostCode == "BNP-A" ? Self.postA : Self.postB,
                "segment_id": Self.segment, "recorded_at": passage.recordedAt.iso8601, "clock_state": "synchronised",
                "matched_passage_id": NSNull(),
            ]
            // Of a passage that was uploaded before its text and deleted since, the text's id is not known.
            let gone = tables["deleted_passages"] ?? []
            let isOfDeleted = gone.contains { second($0) == second(row) && isSame($0, row) }
            guard refusals[passage.compactPlate] == nil, !isDeleted(row), !isOfDeleted else { return }
            let rows = tables["vehicle_passages"] ?? []
            if let known = rows.first(where: { isSame($0, row) }) {
                if known["sms_client_id"] as? String == nil {
                    change("vehicle_passages", id: "\(known["id"] ?? "")", ["sms_client_id": identity])
                }
                return
            }
            insert("vehicle_passages", row)
            onPassage(row)
        }
    }

    /// The row of a text that this upload completes.
    func textRow(of upload: Row) -> Row? {
        (tables["vehicle_passages"] ?? []).first {
            $0["source"] as? String == "sms" && $0["client_id"] as? String == $0["sms_client_id"] as? String
                && second($0) == second(upload) && isSame($0, upload)
        }
    }

    /// The row keeps its id, plate and whole second; all else is the upload's.
    ///
    /// - Returns: the id of the row that was completed.
    func complete(_ text: Row, with upload: Row) -> String {
        let id = "\(text["id"] ?? "")"
        let kept: Set = ["sms_client_id", "plate_number", "recorded_at", "source"]
        change("vehicle_passages", id: id, upload.filter { !kept.contains($0.key) })
        onCompletion(upload)
        return id
    }

    /// By the text's own id; where that is not known, by post, plate and second.
    private func isSame(_ row: Row, _ other: Row) -> Bool {
        guard row["checkpost_id"] as? String == other["checkpost_id"] as? String else { return false }
        if let id = row["sms_client_id"] as? String, id == other["sms_client_id"] as? String { return true }
        return row["plate_number"] as? String == other["plate_number"] as? String && second(row) == second(other)
    }

    private func second(_ row: Row) -> Int64? {
        (row["recorded_at"] as? String).flatMap(Instant.init(iso8601:)).map { $0.milliseconds / 1000 }
    }
}
