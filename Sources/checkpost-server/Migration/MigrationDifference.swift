/// What a program's migrations and a database's have not in common.
///
/// A program never serves a database that is not exactly what it was written for: with older tables it would fail at some request, with
/// newer ones it would judge by rules that are no longer the park's.
package struct MigrationDifference: Sendable, Equatable {
    /// Known to the program and not applied.
    package var missing: [String] = []
    /// Applied and not known to the program.
    package var unknown: [String] = []
    /// Applied with another text.
    package var changed: [String] = []

    /// - Parameter applied: the database's migrations, name to SHA-256.
    package init(known: [MigrationFile], applied: [String: String]) {
        for file in known {
            guard let hash = applied[file.name] else {
                missing.append(file.name)
                continue
            }
            if hash != file.sha256 { changed.append(file.name) }
        }
        unknown = applied.keys.filter { name in !known.contains { $0.name == name } }.sorted()
    }

    /// What is wrong and what to do; nil when nothing is. A database that is newer comes first: `migrate` would not help it.
    package var complaint: String? {
        if let last = unknown.last {
            return
                "The database was migrated with \(last), which this program does not know: the program is older than the database. "
                + "Install the newer program."
        }
        if let first = changed.first {
            return "The database was migrated with another \(first) than this program's. "
                + "A migration that was applied is never changed: use the program whose it is."
        }
        if let first = missing.first {
            let others = missing.count > 1 ? " and \(missing.count - 1) more" : ""
            return "The database lacks the migration \(first)\(others). Run `checkpost-server migrate` first."
        }
        return nil
    }
}
