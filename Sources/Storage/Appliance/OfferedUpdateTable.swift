import Enforcement
import GRDB

/// The packages that the server offers to this post, as it told them last.
package struct OfferedUpdateTable: Table {
    let store: Store
}

extension OfferedUpdateTable {
    /// What the server offers now is all that is offered.
    package func replace(_ offers: [OfferedUpdate]) throws {
        guard try list() != offers.sorted(by: Self.order) else { return }
        try write("Taking over what the server offers") { db in
            try db.execute(cached: "DELETE FROM offered_updates")
            for offer in offers {
                try db.execute(
                    cached: """
                        INSERT INTO offered_updates (file_name, bytes, sha256, signature, offered_at) VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT (file_name) DO NOTHING
                        """,
                    arguments: [
                        offer.name.text, offer.bytes, offer.sha256, offer.signature, offer.offeredAt.milliseconds,
                    ])
            }
        }
    }

    package func list() throws -> [OfferedUpdate] {
        try read("Reading what the server offers") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM offered_updates").compactMap { row in
                OfferedUpdate(
                    fileName: try row.text("file_name"), bytes: try row.decode(Int.self, forColumn: "bytes"),
                    sha256: try row.text("sha256"), signature: try row.text("signature"),
                    offeredAt: try row.instant("offered_at"))
            }.sorted(by: Self.order)
        }
    }

    private static func order(_ left: OfferedUpdate, _ right: OfferedUpdate) -> Bool {
        left.name.text < right.name.text
    }
}
