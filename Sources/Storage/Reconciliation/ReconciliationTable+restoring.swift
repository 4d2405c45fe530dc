import Enforcement
import Foundation
import GRDB

extension ReconciliationTable {
    /// Puts passages back on record, without their photos. They are at the server, so nothing of them waits to be sent.
    ///
    /// What is here already, under any of its ids, stays as it is. A passage that was recorded here once more before it came back,
    /// and that is not at the server yet, takes over the server's ids and is not sent.
    ///
    /// - Returns: how many were new.
    @discardableResult
    package func restore(_ passages: [RestoredPassage]) throws -> Int {
        try write("Taking back passages") { db in
            try passages.count { restored in
                let actions = try Self.restoredStanding(db, restored).handle(restored)
                try Self.perform(db, actions, at: restored.passage.recordedAt)
                return actions == [.putOnRecord(restored)]
            }
        }
    }
}
