import Crypto
import Enforcement
import Foundation

/// What is taken back at the server, what it loses, and what it compares.
extension ParkServer {
    /// All that a backup holds.
    struct Backup {
        var tables: [String: [Row]]
        var sequence: Int
        var photos: [String: Data]
    }

    var backup: Backup { lock.withLock { Backup(tables: tables, sequence: sequence, photos: photos) } }

    /// Brings back what was there, accounts and places as they are.
    func restore(_ backup: Backup) {
        lock.withLock {
            let profiles = tables["user_profiles"]
            (tables, sequence, photos) = (backup.tables, backup.sequence, backup.photos)
            tables["user_profiles"] = profiles
        }
    }

    /// As the warden deletes a passage.
    func delete(passage id: String) {
        lock.withLock {
            guard let row = tables["vehicle_passages"]?.first(where: { $0["id"] as? String == id }) else { return }
            tables["vehicle_passages"]?.removeAll { $0["id"] as? String == id }
            if let partner = row["matched_passage_id"] as? String {
                change("vehicle_passages", id: partner, ["matched_passage_id": NSNull()])
            }
            let kept = ["id", "client_id", "sms_client_id", "checkpost_id", "plate_number", "recorded_at"]
            var gone = row.filter { kept.contains($0.key) }
            gone["deleted_at"] = clock?.now.iso8601 ?? "2026-11-21T10:00:00Z"
            insert("deleted_passages", gone)
        }
    }

    func isDeleted(_ row: Row) -> Bool {
        let ids = ["client_id", "sms_client_id"].compactMap { row[$0] as? String }
        return (tables["deleted_passages"] ?? []).contains { gone in
            ["client_id", "sms_client_id"].contains { ids.contains("\(gone[$0] ?? "")") }
        }
    }

    func changePassage(_ request: Asked) -> Answered {
        let change = request.json as? Row ?? [:]
        let changes = tables["passage_changes"] ?? []
        if changes.contains(where: { $0["id"] as? String == change["id"] as? String }) {
            return .json(["changed": false, "reason": "it was made before"])
        }
        let texts = change["sms_client_id"] as? String
        let found = tables["vehicle_passages"]?.first {
            "\($0["client_id"] ?? "")" == "\(change["client_id"] ?? "")"
                || (texts != nil && $0["sms_client_id"] as? String == texts)
        }
        guard let row = found, let id = row["id"] as? String else {
            // The text of a passage that was withdrawn may still be on its way.
            if change["plate_number"] as? String == nil, let texts {
                insert("deleted_passages", ["client_id": change["client_id"] ?? "", "sms_client_id": texts])
            }
            return .json(["changed": false, "reason": "there is no such passage"])
        }
        let plate = change["plate_number"] as? String
        if plate == row["plate_number"] as? String {
            return .json(["changed": false, "reason": "the plate is this already"])
        }
        let violations = (tables["violations"] ?? []).filter {
            [$0["entry_passage_id"] as? String, $0["exit_passage_id"] as? String].contains(id)
        }.compactMap { $0["id"] as? String }
        tables["violations"]?.removeAll { violations.contains("\($0["id"] ?? "")") }
        tables["violation_outcomes"]?.removeAll { violations.contains("\($0["violation_id"] ?? "")") }
        if let partner = row["matched_passage_id"] as? String {
            self.change("vehicle_passages", id: partner, ["matched_passage_id": NSNull()])
        }
        insert(
            "passage_changes",
            [
                "id": change["id"] ?? "", "client_id": row["client_id"] ?? "",
                "checkpost_id": row["checkpost_id"] ?? "",
                "passage_id": plate == nil ? NSNull() : id, "kind": plate == nil ? "withdrawn" : "corrected",
                "created_at": clock?.now.iso8601 ?? "2026-11-21T10:00:00Z",
            ])
        if let plate {
            self.change("vehicle_passages", id: id, ["plate_number": plate, "matched_passage_id": NSNull()])
            onPassage(row.merging(["plate_number": plate, "matched_passage_id": NSNull()]) { $1 })
        } else {
            self.change("vehicle_passages", id: id, ["matched_passage_id": NSNull()])
            delete(passage: id)
        }
        return .json(["changed": true])
    }

    /// As the function in SQL makes it.
    func passageDays(_ request: Asked) -> Answered {
        let asked = request.json as? [String: String] ?? [:]
        let rows = (tables["vehicle_passages"] ?? []).filter { $0["checkpost_id"] as? String == asked["post"] }
        let days = Dictionary(grouping: rows) { String("\($0["recorded_at"] ?? "")".prefix(10)) }
        return .json(
            days.filter { $0.key >= asked["since"] ?? "" }.sorted { $0.key < $1.key }.map { day, rows in
                let parts = rows.map { "\($0["client_id"] ?? "") \($0["plate_number"] ?? "")" }.sorted()
                let digest = Insecure.MD5.hash(data: Data(parts.joined(separator: ",").utf8))
                let hash = digest.map { String(format: "%02x", $0) }.joined()
                return ["day": day, "passages": rows.count, "hash": hash] as Row
            })
    }
}
