import Foundation

/// Gives what root has just made to whom a folder belongs to: the service could not use it otherwise. It does nothing for anybody else.
package enum FolderOwner {
    static func give(_ files: [String], of folder: String) {
        guard let owner = owner(of: folder) else { return }
        for file in files { _ = chown(file, owner.st_uid, owner.st_gid) }
    }

    /// A database with its log, and what processes share of it.
    static func give(database: String, of folder: String) {
        give(["", "-wal", "-shm"].map { database + $0 }, of: folder)
    }

    /// A folder with everything in it, or a file. What a link leads to is not given.
    package static func give(everythingIn path: String, of folder: String) {
        guard let owner = owner(of: folder) else { return }
        let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        for file in [path] + files.map({ path + "/" + $0 }) { _ = lchown(file, owner.st_uid, owner.st_gid) }
    }

    private static func owner(of folder: String) -> stat? {
        var owner = stat()
        return geteuid() == 0 && stat(folder, &owner) == 0 ? owner : nil
    }
}
