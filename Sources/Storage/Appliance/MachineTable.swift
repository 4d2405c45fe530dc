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

    static func forget(_ db: Database) throws { try db.execute(cached: "DELETE FROM machine_traits") }
}
