import Foundation

/// Whose a folder of the service is: what root has made in it belongs to the service.
struct FolderOwner {
    private let folder: String
    private let user: uid_t
    private let group: gid_t

    /// As it is now; nil when there is no such folder.
    init?(_ folder: String) {
        var information = stat()
        guard stat(folder, &information) == 0 else { return nil }
        (self.folder, user, group) = (folder, information.st_uid, information.st_gid)
    }

    /// Gives it all that is in its folder.
    func give() {
        guard geteuid() == 0, let walk = FileManager.default.enumerator(atPath: folder) else { return }
        for case let name as String in walk { lchown(folder + "/" + name, user, group) }
    }

    /// Gives it one file, and the folder in its folder that the file lies in.
    func give(_ file: URL) throws {
        guard geteuid() == 0 else { return }
        for path in [file.deletingLastPathComponent().path, file.path] {
            guard lchown(path, user, group) == 0 else {
                throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
            }
        }
    }
}
