import Enforcement
import Foundation
import Storage

/// Brings the database back to what the installed program can read, after a newer one was tried.
///
/// Where the newer program left the form of the database as it was, nothing is done. Otherwise the whole database is put aside in a folder
/// in the data folder, and a new one of this version takes over everything in it that this version has a place for: all passages, those of
/// the trial with them, what waits for the server, decisions, accounts. Where that can't be done without loss, the backup from before the
/// switch takes its place, and when the box runs ``Homecoming`` brings over what the backup lacks, as after a disk was away. The file that
/// was put aside is kept.
struct ReturnedDatabase {
    let place: BoxPlace

    /// The folders that wait to be brought home: `newer-TIME` in the data folder.
    static let prefix = "newer-"

    /// - Parameter backup: nil to begin with an empty database in its place: what was recorded comes home all the same.
    func restore(from backup: String?, of machine: UpdateMachine) throws {
        let configuration = try place.configuration()
        let database = configuration.databasePath
        // The same name at each try: what a power cut interrupted goes on.
        let stamp = machine.begunAt.fileStamp
        let folder = "\(configuration.dataFolder)/\(Self.prefix)\(stamp)"
        let aside = folder + "/checkpost.sqlite"
        guard try isWanted(aside, database) else { return }
        let isDone = try locked(configuration.dataFolder) {
            // Another one may have done it meanwhile: what it made, and what was written into that since, stays.
            guard try isWanted(aside, database) else { return true }
            if Presence.of(aside) != .there {
                try putAside(database, into: folder, owner: configuration.dataFolder)
            }
            if backup != nil, try carry(aside, into: database) {
                keep(folder, database, stamp: stamp)
                return true
            }
            guard backup == nil else { return false }
            let store = try Store(path: database)
            defer { try? store.close() }
            try store.beginAfterLoss(at: BoxClock.now)
            adopt(database, like: configuration.dataFolder)
            return true
        }
        // It takes the lock by itself.
        guard !isDone, let backup else { return }
        _ = try Restoration.whole(backup, into: database, of: configuration.post.code, at: BoxClock.now)
    }

    private func locked<Value>(_ folder: String, _ work: () throws -> Value) throws -> Value {
        let lock = try RunLock(folder: folder)
        defer { withExtendedLifetime(lock) {} }
        return try work()
    }

    /// Where the folder is there, its log was put aside already.
    private func isWanted(_ aside: String, _ database: String) throws -> Bool {
        guard Presence.of(aside) != .there else { return Presence.of(database) != .there }
        let folder = URL(fileURLWithPath: aside).deletingLastPathComponent().path
        return try Presence.of(folder) == .there || isNewer(database)
    }

    /// - Returns: false when it can't be done without loss.
    private func carry(_ aside: String, into database: String) throws -> Bool {
        let (work, new) = (database + ".carrying", database + ".carried")
        let leftovers = ["", "-wal", "-shm"].map { work + $0 } + [new]
        defer { for file in leftovers { unlink(file) } }
        for file in leftovers { unlink(file) }
        do {
            let store = try Store(path: work)
            defer { try? store.close() }
            _ = try store.carry(from: aside)
            // One file, checked, and on the disk before it gets the name.
            _ = try store.copy(to: new)
        } catch is StoreError {
            return false
        }
        adopt(new, like: URL(fileURLWithPath: database).deletingLastPathComponent().path)
        guard rename(new, database) == 0 else { return false }
        try DurableFolder.sync(URL(fileURLWithPath: database).deletingLastPathComponent().path)
        return true
    }

    /// All of it is in the database again: the file is kept for whoever wants what only the newer program knew.
    private func keep(_ folder: String, _ database: String, stamp: String) {
        for suffix in ["-wal", ""] {
            rename(folder + "/checkpost.sqlite" + suffix, "\(database).before-restore-\(stamp)\(suffix)")
        }
        unlink(folder + "/checkpost.sqlite-shm")
        rmdir(folder)
    }

    private func isNewer(_ database: String) throws -> Bool {
        guard Presence.of(database) == .there else { return false }
        do {
            try Store(path: database).close()
            return false
        } catch let error as StoreError where error.kind == .newerVersion {
            return true
        } catch {
            // The start finds out what is wrong with it, and goes on.
            return false
        }
    }

    /// Its log first: without its file it waits, whereas a file without its log lacks what was written last.
    private func putAside(_ database: String, into folder: String, owner: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for suffix in ["-wal", ""] where rename(database + suffix, folder + "/checkpost.sqlite" + suffix) != 0 {
                guard errno == ENOENT else { throw AdvisedError(String(cString: strerror(errno)), hint: "") }
            }
        } catch {
            throw AdvisedError(
                "\(database) can't be put aside: \((error as? AdvisedError)?.message ?? error.localizedDescription)",
                hint: "Look at its disk: df, dmesg.")
        }
        unlink(database + "-shm")
        adopt(folder + "/checkpost.sqlite", like: owner)
        try DurableFolder.sync(folder)
        try DurableFolder.sync(owner)
    }

    /// The service opens it, and its folder.
    private func adopt(_ database: String, like folder: String) {
        FolderOwner.give([URL(fileURLWithPath: database).deletingLastPathComponent().path], of: folder)
        FolderOwner.give(database: database, of: folder)
    }
}
