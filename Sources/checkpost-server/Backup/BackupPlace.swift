import Foundation

/// Where backups lie, as a command was told.
enum BackupPlace {
    case folder(URL)
    case bucket(BackupBucket)

    /// - Parameter backup: the folder of one, or its name in the bucket.
    static func of(_ backup: String, _ settings: Settings) throws -> BackupPlace {
        let isName = !backup.contains("/") && !FileManager.default.fileExists(atPath: backup)
        if isName, let bucket = try BackupBucket(settings) { return .bucket(bucket) }
        return .folder(URL(fileURLWithPath: backup).deletingLastPathComponent())
    }

    func make(_ maker: BackupMaker, keep: Int) throws -> (name: String, manifest: ServerBackup.Manifest) {
        let made =
            switch self {
            case .folder(let url): try maker.make(at: url, keep: keep)
            case .bucket(let bucket): try bucket.make(maker, keep: keep)
            }
        return (name(made.backup), made.manifest)
    }

    /// As people are told where it is.
    func name(_ backup: ServerBackup) -> String {
        switch self {
        case .folder: backup.folder.path
        case .bucket(let bucket): bucket.name(backup)
        }
    }

    /// Those that were finished, the oldest first.
    func stamps() throws -> [String] {
        switch self {
        case .folder(let url): ServerBackup.all(at: url).map(\.stamp)
        case .bucket(let bucket): try bucket.stamps()
        }
    }

    func manifest(of stamp: String) throws -> ServerBackup.Manifest {
        switch self {
        case .folder(let url): try ServerBackup(at: url, stamp: stamp).manifest()
        case .bucket(let bucket): try bucket.manifest(of: stamp)
        }
    }

    /// Does something with a backup of this place.
    ///
    /// - Parameters:
    ///   - stamp: nil for the newest.
    ///   - body: gets it, and where its photos lie if that is not beside it.
    func with<Value>(_ stamp: String?, _ body: (ServerBackup, PhotoBucket?) throws -> Value) throws -> Value {
        guard let stamp = try stamp ?? stamps().last else {
            throw Settings.Mistake(description: "There is no backup.")
        }
        switch self {
        case .folder(let url): return try body(ServerBackup(at: url, stamp: stamp), nil)
        case .bucket(let bucket): return try bucket.with(stamp) { try body($0, bucket.photos) }
        }
    }
}
