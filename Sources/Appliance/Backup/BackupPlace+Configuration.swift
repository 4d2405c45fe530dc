import Foundation

extension BackupPlace {
    static let configurationKeys: [ConfigurationKey] = [
        .init(
            "backup", "folder", .text, example: "\"/mnt/backup\"",
            "A folder on another disk, that is there whenever a backup is made. It is not made."),
        .init(
            "backup", "label", .text, example: "\"CHECKPOST\"",
            "The label of a USB stick or card instead, wherever it is mounted. /etc/fstab has to mount it."),
    ]
}

extension ConfigurationBuilder {
    /// [backup]; nil without the section.
    mutating func backup(dataFolder: String) -> BackupPlace? {
        guard lines["backup"] != nil else { return nil }
        let (folder, label) = (text("backup.folder").map(absolute), text("backup.label"))
        switch (folder, label) {
        case (let folder?, nil):
            if BackupPlace.lies(folder, in: dataFolder) {
                refuse("backup.folder", "it lies in the data folder", "a folder on another disk")
            }
            return BackupPlace(kind: .folder(folder))
        case (nil, let label?) where !label.isEmpty: return BackupPlace(kind: .label(label))
        default:
            refuse("backup", "[backup] needs \"folder\" or \"label\", and not both", "one of the two")
            return nil
        }
    }
}
