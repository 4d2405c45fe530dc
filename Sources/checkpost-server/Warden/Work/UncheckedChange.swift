import Enforcement
import Foundation
import Pages

/// What a ranger changed and nobody looked at again, with the picture of the passage that it is about.
struct UncheckedChange: Sendable {
    let row: AuditRow
    let passage: PicturedPassage?

    /// What was changed last before that is not shown.
    static let waitsFor = TimeSpan.days(30)

    static func waiting(_ connection: PostgresConnection, now: Instant, limit: Int) throws -> [UncheckedChange] {
        let rows = try AuditRow.unchecked(connection, since: now - waitsFor, limit: limit)
        let passages = try PicturedPassage.found(connection, Array(Set(rows.compactMap(\.passage))))
        return rows.map { UncheckedChange(row: $0, passage: $0.passage.flatMap { passages[$0] }) }
    }

    func model(posts: [String: String], _ texts: Texts, now: Instant) -> [String: Any] {
        let isCorrection = row.subject == .passage && row.kind == "corrected"
        let view = AuditView(row, posts: posts, texts)
        var model: [String: Any] = [
            "change": PairView.newID, "key": row.key, "view": view,
            "canGoBack": isCorrection && !view.changes.isEmpty, "isOutcome": row.subject == .outcome,
            "isWithdrawal": row.subject == .passage && !isCorrection,
        ]
        model["pictures"] = passage.map { [$0.picture(texts, now: now)] }
        return model
    }
}
