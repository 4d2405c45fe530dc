import Enforcement
import GRDB

/// The plates that the park's office lists for its posts, as the server told them last.
package struct ListedPlateTable: Table {
    let store: Store
}

extension ListedPlateTable {
    /// What the server lists now is all that is listed.
    ///
    /// - Parameter plates: at most a few thousand; of two of one kind with the same plate the first counts.
    /// - Returns: whether anything is different now.
    @discardableResult
    package func replace(_ plates: [ListedPlate]) throws -> Bool {
        guard try list() != plates.sorted(by: Self.order) else { return false }
        try write("Taking over the park's lists") { db in
            try db.execute(cached: "DELETE FROM listed_plates")
            for listed in plates {
                try db.execute(
                    cached: """
                        INSERT INTO listed_plates (kind, compact, canonical, reason, listed_at) VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT (kind, compact) DO NOTHING
                        """,
                    arguments: [
                        listed.kind.rawValue, listed.plate.compact, listed.plate.canonical, listed.reason,
                        listed.listedAt.milliseconds,
                    ])
            }
        }
        return true
    }

    package func list() throws -> [ListedPlate] {
        try read("Reading the park's lists") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM listed_plates").map { row in
                ListedPlate(
                    kind: try row.choice("kind"), plate: try row.plate("canonical"), reason: try row.text("reason"),
                    listedAt: try row.instant("listed_at"))
            }.sorted(by: Self.order)
        }
    }

    private static func order(_ left: ListedPlate, _ right: ListedPlate) -> Bool {
        (left.kind.rawValue, left.plate.compact) < (right.kind.rawValue, right.plate.compact)
    }
}
