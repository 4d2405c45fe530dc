import Enforcement
import Foundation
import GRDB

/// The machine that the records belong to.
package struct MachineTable: Table {
    let store: Store
}

extension Store {
    package var machine: MachineTable { MachineTable(store: self) }
}

extension MachineTable {
    /// - Returns: nil before a machine was put on record, and after a backup was restored: who restores it says that this is the box.
    package func recorded() throws -> MachineIdentity? {
        let traits = try read("Reading the machine") { db in
            try String.fetchAll(db, cached: "SELECT trait FROM machine_traits")
        }
        return traits.isEmpty ? nil : MachineIdentity(traits: Set(traits))
    }

    /// The records belong to this machine from now on.
    package func record(_ machine: MachineIdentity) throws {
        try write("Noting the machine") { db in
            try Self.forget(db)
            for trait in machine.traits.sorted() {
                try db.execute(cached: "INSERT INTO machine_traits (trait) VALUES (?)", arguments: [trait])
            }
        }
    }

    /// The same for one that takes the place of another: no number is given twice, and whoever was paired with the other is paired anew.
    package func adopt(_ machine: MachineIdentity, at now: Instant) throws {
        try write("Taking the place of another machine") { db in
            try Store.skipNumbers(db, at: now)
            try db.execute(cached: "DELETE FROM peer_offers")
            try PeerTable.revokeAll(db, at: now)
        }
        try record(machine)
    }

    static func forget(_ db: Database) throws { try db.execute(cached: "DELETE FROM machine_traits") }
}
