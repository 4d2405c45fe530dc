import Foundation
import ParkAPI

/// Reading and writing rows, as PostgREST has it.
extension ParkServer {
    func select(_ table: String, _ request: Asked) -> Answered {
        let columns = request.first("select")?.split(separator: ",").map(String.init) ?? []
        if !isExtended,
            columns.contains(PassageColumn.serverSequence.rawValue) || table == Table.deviceSettings.rawValue
        {
            return error(400, "42703", "column server_seq does not exist")
        }
        if !hasCompleteness, columns.contains(ReviewColumn.completeUpTo.rawValue) {
            return error(400, "42703", "column complete_up_to does not exist")
        }
        if table == Table.passageChanges.rawValue, !keepsChanges { return error(404, "PGRST205", "no such table") }
        let younger = [Table.listedPlates, .boxUpdates].map(\.rawValue)
        if younger.contains(table), tables[table] == nil { return error(404, "PGRST205", "no such table") }
        var rows = filtered(table, request).filter(isOfRoad)
        for term in (request.first("order") ?? "").split(separator: ",").reversed() {
            let column = String(term.split(separator: ".")[0])
            let isDescending = term.hasSuffix(".desc")
            rows.sort { isDescending ? less($1[column], $0[column]) : less($0[column], $1[column]) }
        }
        rows = Array(rows.dropFirst(request.first("offset").flatMap(Int.init) ?? 0))
        rows = Array(rows.prefix(request.first("limit").flatMap(Int.init) ?? 1000))
        return .json(rows.map { row in row.filter { columns.isEmpty || columns == ["*"] || columns.contains($0.key) } })
    }

    func filtered(_ table: String, _ request: Asked) -> [Row] {
        let reserved = ["select", "order", "limit", "offset", "on_conflict"]
        return (tables[table] ?? []).filter { row in
            request.query.allSatisfy { name, value in
                if reserved.contains(name) { return true }
                let parts = value.split(separator: ".", maxSplits: 1).map(String.init)
                let (mine, wanted) = (row[name], parts[1])
                switch parts[0] {
                case "eq": return "\(mine ?? "")" == wanted
                case "neq": return "\(mine ?? "")" != wanted
                case "is": return mine == nil || mine is NSNull
                case "in": return wanted.dropFirst().dropLast().split(separator: ",").contains { $0 == "\(mine ?? "")" }
                case "gt": return less(Int(wanted) ?? wanted, mine)
                case "gte": return !less(mine, Int(wanted) ?? wanted)
                default: return false
                }
            }
        }
    }

    private func less(_ one: Any?, _ other: Any?) -> Bool {
        if let one = one as? Int, let other = other as? Int { return one < other }
        return "\(one ?? "")" < "\(other ?? "")"
    }

    /// Why a passage isn't taken.
    private func refusal(of row: Row) -> Answered? {
        if let status = refusals[row.text(PassageColumn.plate) ?? ""] {
            return error(status, status == 403 ? "42501" : "23514", "this record is refused")
        }
        if profile[ProfileColumn.isActive] as? Bool != true {
            return error(403, "42501", "row-level security")
        }
        if isDeleted(row) {
            return error(
                409, "PT409", "the passage was deleted at the server", details: Table.deletedPassages.rawValue)
        }
        return nil
    }

    func insert(_ table: String, _ request: Asked) -> Answered {
        let list = request.json as? [Row] ?? [request.json as? Row ?? [:]]
        let ignores = request.headers["prefer"]?.contains("ignore-duplicates") == true
        let isPassage = table == Table.passages.rawValue
        let unique = [
            Table.passages: PassageColumn.clientID.rawValue, .violationOutcomes: OutcomeColumn.violation.rawValue,
            .syncRuns: RunColumn.id.rawValue,
        ].first { $0.key.rawValue == table }?.value
        if request.headers["prefer"]?.contains("merge-duplicates") == true, let key = request.first("on_conflict") {
            for row in list { tables[table]?.removeAll { "\($0[key] ?? "")" == "\(row[key] ?? "")" } }
        }
        var added: [Row] = []
        var joined: [String] = []
        for row in list {
            if isPassage, let refusal = refusal(of: row) { return refusal }
            let isThere = unique.map { key in
                (tables[table] ?? []).contains { "\($0[key] ?? "")" == "\(row[key] ?? "")" }
            }
            if isThere == true, isPassage, isExtended, let id = join(row) {
                joined.append(id)
                continue
            }
            if isThere == true {
                if ignores { continue }
                return error(409, "23505", "duplicate key value", details: "Key (\(unique ?? ""))=(…) already exists.")
            }
            added.append(row)
        }
        let ids =
            joined
            + added.map { row in
                if isPassage, isExtended, let text = textRow(of: row) { return complete(text, with: row) }
                let id = insert(table, row.merging([PassageColumn.match.rawValue: NSNull()]) { old, _ in old })
                if isPassage { onPassage(row.merging([PassageColumn.id.rawValue: id]) { $1 }) }
                return id
            }
        guard request.headers["prefer"]?.contains("representation") == true else { return Answered(status: 201) }
        return .json((tables[table] ?? []).filter { ids.contains($0.text(PassageColumn.id) ?? "") }, status: 201)
    }

    /// What a post says of itself, and `news` for it.
    func tellReviews(_ request: Asked) -> Answered {
        let row = request.json as? Row ?? [:]
        let (table, key) = (Table.postReviews.rawValue, ReviewColumn.checkpost.rawValue)
        tables[table]?.removeAll { "\($0[key] ?? "")" == "\(row[key] ?? "")" }
        insert(table, row)
        return news()
    }

    /// What `news` answers whoever asks.
    func news() -> Answered {
        let own = profile.text(ProfileColumn.assignedCheckpost)
        let other = [Self.postA: Self.postB, Self.postB: Self.postA][own ?? ""]
        let reviews = (tables[Table.postReviews.rawValue] ?? []).filter { $0.text(ReviewColumn.checkpost) == other }.map
        {
            row in row.filter { name, _ in ReviewColumn(rawValue: name) != nil }
        }
        return .json(
            ["number": sequence, "reviews": reviews].merging(referenceMark.map { ["reference": $0] } ?? [:]) { $1 })
    }
}
