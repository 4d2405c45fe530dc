@testable import checkpost_server

/// What a suite does that changes passages as a warden does and counts what became of it.
protocol WardensDesk {
    var database: TestDatabase { get }
    var warden: String { get }

    init(database: TestDatabase, hari: String, warden: String)
}

extension WardensDesk {
    /// A database with a ranger at post A, and a warden.
    init() throws {
        let database = try TestDatabase()
        self.init(
            database: database, hari: try database.addUser("hari", post: TestDatabase.postA),
            warden: try database.addUser("warden", role: "admin"))
    }

    /// Sets columns of a stored passage, as the warden or another user.
    func patch(_ change: String, _ id: String, as user: String? = nil) throws {
        _ = try database.asUser(user ?? warden) {
            try $0.run("update vehicle_passages set \(change) where id = $1::uuid", [id])
        }
    }

    func count(_ table: String, _ condition: String = "true") throws -> String? {
        try database.owner.value("select count(*) from \(table) where \(condition)")
    }

    /// What PostgreSQL refuses something with; nil when it doesn't.
    func state(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? PostgresError)?.sqlState
        }
    }
}
