import Crypto
import Enforcement
import Foundation
import ParkAPI

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
            let profiles = tables[Table.userProfiles.rawValue]
            (tables, sequence, photos) = (backup.tables, backup.sequence, backup.photos)
            tables[Table.userProfiles.rawValue] = profiles
        }
    }

    /// As the warden deletes a passage.
    func delete(passage id: String) {
        lock.withLock {
            guard let row = rows(.passages).first(where: { $0.text(PassageColumn.id) == id }) else { return }
            removeRows(.passages) { $0.text(PassageColumn.id) == id }
            if let partner = row.text(PassageColumn.match) { change(id: partner, [PassageColumn.match: NSNull()]) }
            let kept: [PassageColumn] = [.id, .clientID, .smsClientID, .checkpost, .plate, .recordedAt]
            var gone = row.filter { kept.map(\.rawValue).contains($0.key) }
            gone[DeletionColumn.deletedAt] = clock?.now.iso8601 ?? "2026-11-21T10:00:00Z"
            insert(Table.deletedPassages.rawValue, gone)
            onGone(row)
        }
    }

    func isDeleted(_ row: Row) -> Bool {
        let ids = PassageColumn.identities.compactMap { row.text($0) }
        return rows(.deletedPassages).contains { gone in
            PassageColumn.identities.contains { ids.contains("\(gone[$0] ?? "")") }
        }
    }

    func changePassage(_ request: Asked) -> Answered {
        typealias Change = PassageChange.CodingKeys
        let fields = request.json as? [String: Any] ?? [:]
        func said(_ key: Change) -> String? { fields[key.rawValue] as? String }
        func no(_ reason: String) -> Answered { answer(ChangeAnswer(changed: false, reason: reason)) }
        if rows(.passageChanges).contains(where: { $0.text(ChangeColumn.id) == said(.id) }) {
            return no("it was made before")
        }
        let (texts, plate) = (said(.smsClientID), said(.plate))
        let found = rows(.passages).first {
            $0.text(PassageColumn.clientID) == said(.clientID)
                || (texts != nil && $0.text(PassageColumn.smsClientID) == texts)
        }
        guard let row = found, let id = row.text(PassageColumn.id) else {
            // The text of a passage that was withdrawn may still be on its way.
            if plate == nil, let texts {
                insert([DeletionColumn.clientID: said(.clientID) ?? "", .smsClientID: texts])
            }
            return no(ChangeAnswer.noSuchPassage)
        }
        if plate == row.text(PassageColumn.plate) { return no("the plate is this already") }
        let violations = rows(.violations).filter {
            [$0.text(ViolationColumn.entry), $0.text(ViolationColumn.exit)].contains(id)
        }.compactMap { $0.text(ViolationColumn.id) }
        removeRows(.violations) { violations.contains($0.text(ViolationColumn.id) ?? "") }
        removeRows(.violationOutcomes) { violations.contains($0.text(OutcomeColumn.violation) ?? "") }
        if let partner = row.text(PassageColumn.match) { change(id: partner, [PassageColumn.match: NSNull()]) }
        let change: [ChangeColumn: Any] = [
            .id: said(.id) ?? "", .clientID: row[PassageColumn.clientID] ?? "",
            .checkpost: row[PassageColumn.checkpost] ?? "", .passage: plate == nil ? NSNull() : id,
            .kind: (plate == nil ? ChangeKind.withdrawn : .corrected).rawValue,
            .createdAt: clock?.now.iso8601 ?? "2026-11-21T10:00:00Z",
        ]
        insert(change)
        if let plate {
            let changes: [PassageColumn: Any] = [.plate: plate, .match: NSNull()]
            self.change(id: id, changes)
            onGone(row)
            onPassage(row.merging(Row(cells: changes)) { $1 })
        } else {
            self.change(id: id, [PassageColumn.match: NSNull()])
            delete(passage: id)
        }
        return answer(ChangeAnswer(changed: true))
    }

    private func answer(_ body: some Encodable) -> Answered {
        Answered(
            status: 200, headers: ["Content-Type": "application/json"], body: (try? ParkJSON.data(body)) ?? Data())
    }

    /// As the function in SQL makes it.
    func passageDays(_ request: Asked) -> Answered {
        guard let asked = try? JSONDecoder().decode(DaysQuestion.self, from: request.body) else {
            return error(400, "400", "post and since")
        }
        let passages = rows(.passages).filter { $0.text(PassageColumn.checkpost) == asked.post.sent }
        let days = Dictionary(grouping: passages) { String("\($0[PassageColumn.recordedAt] ?? "")".prefix(10)) }
        return answer(
            days.filter { $0.key >= asked.since }.sorted { $0.key < $1.key }.map { day, rows in
                let parts = rows.map {
                    "\($0[PassageColumn.clientID] ?? "") \($0[PassageColumn.plate] ?? "")"
                }.sorted()
                let digest = Insecure.MD5.hash(data: Data(parts.joined(separator: ",").utf8))
                let hash = digest.map { String(format: "%02x", $0) }.joined()
                return DayRow(day: day, passages: rows.count, hash: hash)
            })
    }
}
