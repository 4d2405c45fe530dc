/// A function that `migrate` put into a database.
package struct AppliedFunction: Sendable, Equatable {
    package var name: String
    /// As PostgreSQL writes it: `checkpost.match_passage(uuid,uuid)`.
    package var signature: String
    /// Of the file that it was made from.
    package var sha256: String
    /// Whether the database still has what was made: nobody replaced or dropped it.
    package var stands: Bool

    package init(name: String, signature: String, sha256: String, stands: Bool = true) {
        self.name = name
        self.signature = signature
        self.sha256 = sha256
        self.stands = stands
    }
}

/// What a program's functions and a database's have not in common.
package struct FunctionDifference: Sendable, Equatable {
    /// Known to the program, and not in the database with this text.
    package var stale: [FunctionFile] = []
    /// Those of them that were applied with this text: somebody changed them since.
    package var altered: [String] = []
    /// Applied and not known to the program.
    package var unknown: [AppliedFunction] = []

    package init(known: [FunctionFile], applied: [AppliedFunction]) {
        let byName = Dictionary(applied.map { ($0.name, $0) }) { $1 }
        for file in known {
            let isApplied = byName[file.name]?.sha256 == file.sha256
            if isApplied, byName[file.name]?.stands == true { continue }
            stale.append(file)
            if isApplied { altered.append(file.name) }
        }
        unknown = applied.filter { function in !known.contains { $0.name == function.name } }
    }

    /// What is wrong and what to do; nil when nothing is. Tables and rules that belong to different programs judge by neither's rules.
    package var complaint: String? {
        let names = Set(stale.map(\.name)).union(unknown.map(\.name)).sorted()
        guard let first = names.first else { return nil }
        let others = names.count > 1 ? " and \(names.count - 1) more" : ""
        if names == altered.sorted() {
            return "Somebody changed the function \(first)\(others) of the database by hand. "
                + "`checkpost-server migrate` puts the program's own in its place."
        }
        return "The database has other functions than this program: \(first)\(others). "
            + "Run `checkpost-server migrate` with the program that shall serve."
    }
}
