import Enforcement
import Foundation

/// Where backups go: a folder, or the medium with a label, wherever it is mounted.
struct BackupPlace: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case folder(String)
        case label(String)
    }

    var kind: Kind

    /// Where the system lists media by label, and what is mounted where.
    var labels = "/dev/disk/by-label"
    var mounts = MountList.path

    /// On a medium that has other things on it.
    static let folderName = "checkpost-backups"

    /// A backup on the disk of the records is lost with them.
    static func lies(_ folder: String, in dataFolder: String) -> Bool {
        let (folder, data) = (Self.real(folder), Self.real(dataFolder))
        return folder == data || folder.hasPrefix(data + "/")
    }

    private static func real(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// The folder to write to. It is not made for a folder that was named: where nothing is mounted, the backup would lie on the
    /// disk that it is to stand in for.
    ///
    /// - Throws: `AdvisedError` that says what is missing.
    func folder() throws -> String {
        switch kind {
        case .folder(let path):
            guard Self.isFolder(path) else {
                throw AdvisedError(
                    "The folder for backups, \(path), is not there.",
                    hint:
                        "Put the medium in and mount it, or make the folder and give it to the user that runs checkpost."
                )
            }
            return path
        case .label(let label):
            let folder = try mountPoint(of: label) + "/" + Self.folderName
            if !Self.isFolder(folder), mkdir(folder, 0o750) != 0 {
                throw AdvisedError(
                    "The folder \(folder) can't be made: \(String(cString: strerror(errno))).",
                    hint: "Mount the medium so that the user that runs checkpost may write to it (uid= in /etc/fstab).")
            }
            return folder
        }
    }

    /// Where the medium itself is, for what else may lie on it.
    ///
    /// - Throws: `AdvisedError` that says what is missing.
    func medium() throws -> String {
        if case .label(let label) = kind { return try mountPoint(of: label) }
        return try folder()
    }

    private func mountPoint(of label: String) throws -> String {
        let link = labels + "/" + Self.escaped(label)
        guard
            let device = realpath(link, nil).map({ pointer in
                defer { free(pointer) }
                return String(cString: pointer)
            })
        else {
            throw AdvisedError(
                "No medium with the label \(label) is plugged in.",
                hint: "Plug the stick for backups in, or name another with label in [backup].")
        }
        guard let place = mounted(device) else {
            throw AdvisedError(
                "The medium with the label \(label) is plugged in and not mounted.",
                hint: "Add it to /etc/fstab: LABEL=\(label) /media/checkpost-backup auto "
                    + "nofail,x-systemd.automount,uid=checkpost 0 0 (without uid= for ext4), then: systemctl daemon-reload."
            )
        }
        return place
    }

    /// Where a device is mounted. An automount lists the place before the device is there: looking into it mounts it.
    private func mounted(_ device: String) -> String? {
        MountList(path: mounts).mounts.first { $0.source == device || Self.sameFile($0.source, device) }?.place
    }

    private static func sameFile(_ one: String, _ other: String) -> Bool {
        guard one.hasPrefix("/"), let real = realpath(one, nil) else { return false }
        defer { free(real) }
        return String(cString: real) == other
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// A space in a label is `\x20` in the name of its link.
    private static func escaped(_ label: String) -> String {
        label.utf8.map { byte in
            let isPlain =
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || byte >= 128 || "#+-.:=@_".utf8.contains(byte)
            return isPlain ? [byte] : Array("\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
        }.reduce(into: "") { $0 += String(decoding: $1, as: UTF8.self) }
    }
}
