import GRDB

/// Why the database or the photo folder did not do what was asked, with what the operator can do about it.
package struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        case diskFull
        case readOnly
        case cannotOpen
        case corrupt
        /// One row holds what makes no sense; the file is whole.
        case unreadable
        /// The database was written by a newer version of the program.
        case newerVersion
        /// Another process has held the database longer than is worth waiting.
        case busy
        /// The disk, its cable or its file system: what was asked for may be done in a while, or never.
        case diskError
        /// A rule of the schema refused a row: something asked for what must not be.
        case refused
        /// What was named isn't there, or isn't in the state that was asked for.
        case unknown
        case other
    }

    package var kind: Kind

    /// What was tried and what came of it, in one line.
    package var message: String

    /// Whether SQLite itself found the file damaged, and not only a row that makes no sense.
    package var isFileDamaged = false

    /// What to do; nil when there is nothing that an operator can do.
    package var hint: String?

    package init(_ kind: Kind, _ message: String, hint: String? = nil) {
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    package var description: String {
        guard let hint else { return message }
        return "\(message) \(hint)"
    }
}

extension StoreError {
    private static let fullHint = "The disk is full. Free space on it; a running box goes on by itself then."

    /// Whether the same call may well succeed later, without anybody changing what was asked: a full disk, a lock, a disk that
    /// gives errors.
    package var mayPass: Bool { ![.refused, .unknown, .newerVersion, .unreadable].contains(kind) }

    /// - Parameters:
    ///   - error: what SQLite said.
    ///   - tried: what was being done, as in "Opening the database".
    ///   - path: the database's file.
    init(_ error: DatabaseError, tried: String, path: String) {
        // What SQLite says of a connection that has no error of its own.
        let said = error.message.flatMap { $0 == "not an error" ? nil : ": \($0)" } ?? ""
        let message = "\(tried) failed at \(path)\(said)."
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(.diskFull, message, hint: Self.fullHint)
        case .SQLITE_IOERR where DiskRoom.state(beside: path) == .noBytes,
            .SQLITE_CANTOPEN where DiskRoom.state(beside: path) == .noBytes:
            // SQLITE_IOERR_SHMSIZE, say: no room for the memory that its users share.
            self.init(.diskFull, "\(tried) failed at \(path): the disk is full.", hint: Self.fullHint)
        case .SQLITE_IOERR where DiskRoom.state(beside: path) == .noFiles,
            .SQLITE_CANTOPEN where DiskRoom.state(beside: path) == .noFiles:
            self.init(
                .diskFull, "\(tried) failed at \(path): the disk holds no more files, though it may have space.",
                hint: "Remove files that nobody needs; a running box goes on by itself then.")
        case .SQLITE_READONLY, .SQLITE_PERM:
            self.init(
                .readOnly, message, hint: "Make the file and its folder writable for the user that runs checkpost.")
        case .SQLITE_CANTOPEN, .SQLITE_AUTH:
            self.init(
                .cannotOpen, message,
                hint: "Check that the folder exists and that the user that runs checkpost may write to it.")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(
                .corrupt, message,
                hint:
                    "The file is damaged or is no database. `checkpost run` sets it aside at its next start and records in "
                    + "a new one; or stop checkpost, move the file aside and keep it, and restore a backup.")
            isFileDamaged = true
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy, message, hint: "Another program holds the database. Stop it, or try again.")
        case .SQLITE_IOERR:
            self.init(
                .diskError, message,
                hint: "The disk gave an error. Look at the system log, and replace the disk if it goes on.")
        case .SQLITE_CONSTRAINT:
            self.init(.refused, message)
        default:
            self.init(.other, message)
        }
    }
}
