import Enforcement
import Foundation
import Storage

/// Puts a backup in place of the database, or takes only accounts and settings of it.
package enum Restoration {
    package struct Report: Sendable {
        package var contents: DatabaseCopy.Contents

        /// Where the database that was there is now; nil when there was none.
        package var former: String?
        package var missingPhotos = 0
    }

    /// - Throws: `AdvisedError` when the appliance runs; `StoreError` when the backup is none.
    ///
    /// - Parameter post: whose backup it has to be; nil for any.
    package static func whole(
        _ backup: String, into database: String, of post: String? = nil, at now: Instant
    ) throws -> Report {
        let folder = URL(fileURLWithPath: database).deletingLastPathComponent()
        let (from, to) = (URL(fileURLWithPath: backup), URL(fileURLWithPath: database))
        guard from.resolvingSymlinksInPath() != to.resolvingSymlinksInPath() else {
            throw AdvisedError("\(backup) is the database itself, and no backup of it.", hint: "Name a backup's file.")
        }
        var report = Report(contents: try DatabaseCopy.check(backup))
        if let post, !report.contents.posts.isEmpty, !report.contents.posts.contains(post) {
            throw AdvisedError(
                "\(backup) is a backup of \(report.contents.posts.sorted().joined(separator: " and ")), and this box is \(post).",
                hint:
                    "Take a backup of this post, or set post.code in the configuration to the one that the box is now.")
        }
        let lock = try RunLock(folder: folder.path)
        defer { withExtendedLifetime(lock) {} }
        let (work, new) = (database + ".restoring", database + ".restored")
        let leftovers = ["", "-wal", "-shm"].map { work + $0 } + [new]
        defer { for file in leftovers { unlink(file) } }
        for file in leftovers { unlink(file) }
        do { try FileManager.default.copyItem(atPath: backup, toPath: work) } catch {
            throw AdvisedError(
                "\(backup) can't be copied to \(folder.path): \(error.localizedDescription)",
                hint:
                    "It needs \(Wording.bytes(report.contents.bytes)) there. The database that was there is as it was.")
        }
        let store = try Store(path: work)
        try store.beginAnewFromBackup(at: now)
        report.missingPhotos = try store.forgetMissingPhotos(of: PhotoStore(folder: folder), at: now)
        // One file, without a log that would have to come along, checked and on the disk before anything takes its place: a power cut
        // leaves both, one of them perhaps under the name that it was set aside with.
        _ = try store.copy(to: new)
        try store.close()
        report.former = try setAside(database, at: now)
        // What was found wrong with the one that was there says nothing about this one.
        DamageMark(path: database).remove()
        guard rename(new, database) == 0 else {
            throw AdvisedError(
                "\(new) can't be renamed to \(database): \(String(cString: strerror(errno))).",
                hint: "Rename it by hand, then start checkpost.")
        }
        FolderOwner.give(database: database, of: folder.path)
        return report
    }

    /// - Returns: how many accounts were taken.
    package static func accounts(of backup: String, into store: Store) throws -> Int {
        _ = try DatabaseCopy.check(backup)
        // It may be of an older version: a copy is brought up to date, and the backup stays as it is.
        let copy = store.path + ".accounts"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) } }
        for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) }
        try FileManager.default.copyItem(atPath: backup, toPath: copy)
        let other = try Store(path: copy)
        defer { try? other.close() }
        return try store.takeAccounts(from: other)
    }

    /// The database with its log, and not what other processes share of it.
    private static func setAside(_ database: String, at now: Instant) throws -> String? {
        guard FileManager.default.fileExists(atPath: database) else { return nil }
        let former = "\(database).before-restore-\(now.fileStamp)"
        for suffix in ["", "-wal"] where rename(database + suffix, former + suffix) != 0 && errno != ENOENT {
            throw AdvisedError(
                "\(database + suffix) can't be set aside: \(String(cString: strerror(errno))).",
                hint: "Run this as root.")
        }
        unlink(database + "-shm")
        return former
    }
}
