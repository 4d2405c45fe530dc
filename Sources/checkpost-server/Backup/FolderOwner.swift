import Foundation

/// What root has made in a folder of the service belongs to the service.
enum FolderOwner {
    /// - Parameter whose: the attributes of the folder, as they were before.
    static func give(_ folder: String, to whose: [FileAttributeKey: Any]) {
        guard geteuid() == 0, let user = whose[.ownerAccountID] as? Int,
            let group = whose[.groupOwnerAccountID] as? Int,
            let walk = FileManager.default.enumerator(atPath: folder)
        else { return }
        for case let name as String in walk { lchown(folder + "/" + name, uid_t(user), gid_t(group)) }
    }
}
