import Enforcement
import Foundation

/// Backups in S3-compatible storage: of each the same three files as in a folder, and the photos beside them, each once.
///
/// A backup is made in a folder of this machine and brought there; it counts when its manifest is there, which comes last.
struct BackupBucket {
    private let bucket: S3Bucket
    /// The photos of all backups.
    let photos: PhotoBucket
    /// Of this machine, for what is under way. It goes afterwards.
    private let staging: URL

    private static let stagingStart = ".backup-"
    /// Nothing takes longer with one.
    private static let longestStaging = TimeSpan.hours(24)
    private static let mostListed = 1000
    /// Before the end of this many millenniums every stamp begins with it.
    private static let stampStart = "2"

    /// - Throws: ``Settings/Mistake`` when the secret key can't be read.
    init(_ place: S3Place, patience: S3Bucket.Patience, folder: String) throws {
        bucket = try S3Bucket(place, patience: patience)
        var photoPlace = place
        photoPlace.prefix += "photos/"
        staging = URL(fileURLWithPath: folder).appendingPathComponent(Self.stagingStart + UUID().uuidString)
        photos = PhotoBucket(
            bucket: try S3Bucket(photoPlace, patience: patience), former: PhotoFolder(staging.path + "/none"))
    }

    /// Nil where the configuration names none.
    init?(_ settings: Settings) throws {
        guard let place = settings.backupBucket else { return nil }
        try self.init(place, patience: settings.photoPatience, folder: settings.photoFolder)
    }

    /// As people are told where it is.
    func name(_ backup: ServerBackup) -> String { "\(bucket.place.bucket)/\(bucket.place.prefix)\(backup.stamp)" }

    func make(_ maker: BackupMaker, keep: Int, now: Date = Date()) throws -> (
        backup: ServerBackup, manifest: ServerBackup.Manifest
    ) {
        try maker.alone {
            removeForgotten()
            defer { try? FileManager.default.removeItem(at: staging) }
            var known = try hashes()
            let made = try maker.make(at: staging, keep: 1, now: now, kept: .bucket(photos, known: known))
            for file in ServerBackup.files {
                let place = made.backup.folder.appendingPathComponent(file)
                try bucket.put(file: place, as: "\(made.backup.stamp)/\(file)")
            }
            // What was begun and not finished, and the oldest.
            let all = try names()
            let finished = Self.finished(all).map { ServerBackup(at: staging, stamp: $0) }
            // What the list lacks is taken for unfinished below. The one just made never counts as surplus.
            guard finished.contains(where: { $0.stamp == made.backup.stamp }) else {
                throw S3Outage("the list of the bucket lacks the backup that was just stored: nothing old was removed")
            }
            let surplus = finished.surplus(after: made.backup, keep: keep).map(\.stamp)
            let kept = Set(finished.map(\.stamp)).subtracting(surplus)
            for name in all {
                // Nothing else that may lie there.
                guard let stamp = name.wholeMatch(of: /(\d{4}-\d{2}-\d{2}T\d{6}Z)\/[a-z.]+/)?.1 else { continue }
                if !kept.contains(String(stamp)) { try bucket.remove(name) }
            }
            for stamp in surplus { maker.say("Removed the backup of \(stamp): \(keep) are kept.") }
            guard !surplus.isEmpty else { return made }
            for stamp in kept {
                let list = try fetched(ServerBackup.files[1], of: stamp)
                for hash in try String(contentsOf: list, encoding: .utf8).split(separator: "\n") {
                    if let hash = PhotoHash(hash) { known.remove(hash) }
                }
                try FileManager.default.removeItem(at: list)
            }
            for hash in known { try photos.removeFromBucket(hash.text) }
            if !known.isEmpty { maker.say("Removed \(known.count) photos that no backup names any more.") }
            return made
        }
    }

    /// Removes what runs that were interrupted have left on this machine: each has a whole dump.
    private func removeForgotten() {
        let (files, parent) = (FileManager.default, staging.deletingLastPathComponent())
        let names = (try? files.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in names where name.hasPrefix(Self.stagingStart) {
            let folder = parent.appendingPathComponent(name)
            guard let changed = try? files.attributesOfItem(atPath: folder.path)[.modificationDate] as? Date,
                -changed.timeIntervalSinceNow > Self.longestStaging.seconds
            else { continue }
            try? files.removeItem(at: folder)
        }
    }

    /// Those that were finished, the oldest first.
    func stamps() throws -> [String] { Self.finished(try names()) }

    /// Brings one to this machine, without its photos, for as long as `body` runs.
    func with<Value>(_ stamp: String, _ body: (ServerBackup) throws -> Value) throws -> Value {
        defer { try? FileManager.default.removeItem(at: staging) }
        guard try stamps().contains(stamp) else {
            throw Settings.Mistake(
                description: "There is no such backup. `checkpost-server backup list` names them.")
        }
        let backup = ServerBackup(at: staging, stamp: stamp)
        try FileManager.default.createDirectory(at: backup.folder, withIntermediateDirectories: true)
        for file in ServerBackup.files {
            try FileManager.default.moveItem(
                at: try fetched(file, of: stamp), to: backup.folder.appendingPathComponent(file))
        }
        return try body(backup)
    }

    func manifest(of stamp: String) throws -> ServerBackup.Manifest {
        defer { try? FileManager.default.removeItem(at: staging) }
        let backup = ServerBackup(at: staging, stamp: stamp)
        try FileManager.default.createDirectory(at: backup.folder, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            at: try fetched(ServerBackup.manifestName, of: stamp),
            to: backup.folder.appendingPathComponent(ServerBackup.manifestName))
        return try backup.manifest()
    }

    private static func finished(_ names: [String]) -> [String] {
        names.compactMap { name in
            name.wholeMatch(of: /(\d{4}-\d{2}-\d{2}T\d{6}Z)\/manifest\.json/).map { String($0.1) }
        }
    }

    private func fetched(_ file: String, of stamp: String) throws -> URL {
        try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: true)
        let place = staging.appendingPathComponent(".\(stamp)-\(file)")
        _ = umask(0o077)
        guard FileManager.default.createFile(atPath: place.path, contents: nil),
            try bucket.get("\(stamp)/\(file)", into: FileHandle(forUpdating: place), most: nil) != nil
        else { throw Settings.Mistake(description: "The backup \(stamp) has no \(file), or the disk is full.") }
        return place
    }

    private func names() throws -> [String] {
        var all: [String] = []
        while true {
            let next = try bucket.names(under: Self.stampStart, after: all.last ?? "", most: Self.mostListed)
            guard !next.isEmpty else { return all }
            all += next
        }
    }

    /// Of all photos that are there.
    private func hashes() throws -> Set<PhotoHash> {
        var (all, after) = (Set<PhotoHash>(), "")
        while true {
            let next = try photos.hashes(after: after, most: Self.mostListed)
            guard let last = next.last else { return all }
            all.formUnion(next.compactMap { PhotoHash($0[...]) })
            after = last
        }
    }
}
