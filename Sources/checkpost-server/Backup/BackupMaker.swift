import CVersion
import Enforcement
import Foundation

/// Makes a backup while the server serves, and brings one back into an empty database.
struct BackupMaker {
    let owner: PostgresConnection
    let words: ConnectionWords
    let photos: PhotoStore
    let say: (String) -> Void

    /// So many names are read at a time: a million photos are no million rows in memory.
    private static let page = 5000

    /// Seconds by which a file's time may be off its mark.
    private static let slack = 60.0

    // MARK: Making one

    /// - Parameter keep: so many backups stay, the newest.
    /// - Throws: ``Settings/Mistake`` when it could not be made; nothing of it counts then.
    @discardableResult
    func make(at place: URL, keep: Int, now: Date = Date(), kept: KeptPhotos? = nil) throws -> (
        backup: ServerBackup, manifest: ServerBackup.Manifest
    ) {
        try alone { try makeAlone(at: place, keep: keep, now: now, kept ?? .folder(ServerBackup.photos(at: place))) }
    }

    /// Another one would remove what this one has not finished.
    func alone<Value>(_ body: () throws -> Value) throws -> Value {
        guard try owner.run("select pg_try_advisory_lock(7214, 3)").scalar == "t" else {
            throw Settings.Mistake(description: "A backup is being made already. Wait until it is done.")
        }
        defer { _ = try? owner.run("select pg_advisory_unlock(7214, 3)") }
        return try body()
    }

    private func makeAlone(at place: URL, keep: Int, now: Date, _ kept: KeptPhotos) throws -> (
        backup: ServerBackup, manifest: ServerBackup.Manifest
    ) {
        let backup = ServerBackup(at: place, begun: now)
        let folder = backup.unfinished
        try prepare(place, removing: folder)
        say("Writing the database.")
        let dump = ServerBackup.dump(in: folder)
        try PostgresTool(name: "pg_dump", connection: words).run(
            ["--format=custom", "--lock-wait-timeout=30s", "--file=\(dump.path)"])
        // Photos are stored before the rows that name them: whatever the dump names is there now, but for what is removed meanwhile.
        let copied = try copyPhotos(
            to: kept, list: ServerBackup.photoList(in: folder), mark: backup.begun ?? now)
        let (hash, bytes) = try ServerBackup.hash(of: dump)
        let manifest = ServerBackup.Manifest(
            madeAt: Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down)),
            program: String(cString: checkpost_version()),
            migration: try owner.run("select max(name) from checkpost.schema_migrations").scalar ?? "",
            passages: try count("public.vehicle_passages"), violations: try count("public.violations"),
            photos: copied.count, lostPhotos: copied.lost, dumpBytes: bytes, dumpSHA256: hash,
            photoListSHA256: try ServerBackup.hash(of: ServerBackup.photoList(in: folder)).sha256,
            marksPhotos: copied.areMarked)
        try write(manifest, to: folder.appendingPathComponent(ServerBackup.manifestName))
        for file in [dump, ServerBackup.photoList(in: folder), folder] { try synchronize(file) }
        guard rename(folder.path, backup.folder.path) == 0 else { throw Self.failure("name", backup.folder) }
        try synchronize(place)
        for old in ServerBackup.all(at: place).surplus(after: backup, keep: keep) {
            try FileManager.default.removeItem(at: old.folder)
            say("Removed the backup of \(old.stamp): \(keep) are kept.")
        }
        try removeUnnamedPhotos(at: place)
        return (backup, manifest)
    }

    private func prepare(_ place: URL, removing folder: URL) throws {
        // Password hashes and secrets of sign-ins are in it.
        _ = umask(0o077)
        do {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            // What a power cut has left.
            for name in try FileManager.default.contentsOfDirectory(atPath: place.path) where name.hasPrefix(".part-") {
                try FileManager.default.removeItem(at: place.appendingPathComponent(name))
            }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        } catch {
            throw Settings.Mistake(
                description:
                    "\(place.path) can't be written: \(error.localizedDescription) Is the disk there, and not full?")
        }
    }

    private func count(_ table: String) throws -> Int {
        Int(try owner.run("select count(*) from \(table)").scalar ?? "") ?? 0
    }

    /// Removes photos that no backup names any more: whose last one is older than the oldest that is kept.
    private func removeUnnamedPhotos(at place: URL) throws {
        let backups = ServerBackup.all(at: place)
        guard let oldest = backups.compactMap(\.begun).min(),
            backups.allSatisfy({ $0.begun != nil && (try? $0.manifest())?.marksPhotos == true })
        else { return }
        let removed = try ServerBackup.photos(at: place).removeUnmarked(since: oldest - Self.slack)
        if removed > 0 { say("Removed \(removed) photos that no backup names any more.") }
    }

    /// - Parameter mark: the time that the file of each photo gets: when the last backup began that names it.
    private func copyPhotos(to kept: KeptPhotos, list: URL, mark: Date) throws -> (
        count: Int, lost: Int, areMarked: Bool
    ) {
        guard FileManager.default.createFile(atPath: list.path, contents: nil) else {
            throw Self.failure("write", list)
        }
        let file = try FileHandle(forWritingTo: list)
        defer { try? file.close() }
        var (after, count, lost, new) = ("", 0, 0, 0)
        // Not every file system lets a file have a time that somebody chooses.
        var areMarked = true
        while true {
            let rows = try owner.run(
                """
                select name, metadata ->> 'eTag' from storage.objects
                where bucket_id = 'passage-photos' and name > $1 order by name limit \(Self.page)
                """, [after]
            ).rows
            guard let last = rows.last?.first ?? nil else { break }
            after = last
            var lines = ""
            for hash in rows.compactMap({ $0[1] }) {
                let isNew = try kept.wants(hash, from: photos)
                if isNew {
                    guard let bytes = try photos.whole(hash) else {
                        // What was removed since the list was read is not lost.
                        let isNamed = "select exists (select from storage.objects where metadata ->> 'eTag' = $1)"
                        if try owner.run(isNamed, [hash]).scalar == "t" { lost += 1 }
                        continue
                    }
                    try kept.storage.put(bytes, as: hash)
                    new += 1
                }
                areMarked = kept.mark(hash, at: mark, isNew: isNew) && areMarked
                lines += hash + "\n"
                count += 1
            }
            try file.write(contentsOf: Data(lines.utf8))
            say("\(count) photos, \(new) of them new.")
        }
        return (count, lost, areMarked)
    }

    private func write(_ manifest: ServerBackup.Manifest, to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(manifest).write(to: file)
        try synchronize(file)
    }

    private func synchronize(_ place: URL) throws {
        let descriptor = open(place.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("open", place) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.failure("write", place) }
    }

    private static func failure(_ what: String, _ place: URL) -> Settings.Mistake {
        Settings.Mistake(description: "Can't \(what) \(place.path): \(String(cString: strerror(errno))).")
    }

    // MARK: Bringing one back

    /// - Throws: ``Settings/Mistake`` when the backup is not whole, is of a newer program, or the database is not empty. All of the database
    ///   comes back, or nothing of it.
    func bringBack(_ backup: ServerBackup, from bucket: PhotoBucket? = nil) throws -> ServerBackup.Manifest {
        let manifest = try backup.manifest()
        guard EmbeddedMigrations.all.contains(where: { $0.name == manifest.migration }) else {
            throw Settings.Mistake(
                description:
                    "The backup was made by a newer program (\(manifest.program), with \(manifest.migration)). "
                    + "Install that one, or a later one.")
        }
        guard try owner.run("select to_regnamespace('checkpost') is null").scalar == "t" else {
            throw Settings.Mistake(
                description: "The database has records already. A backup comes back into an empty one: "
                    + "stop the server, rename the database, make a new one with deploy/server/database, and try again."
            )
        }
        say("Reading the backup once more.")
        let wrong = try backup.complaints(of: bucket) { say("\($0) photos looked at.") }
        if let first = wrong.first {
            throw Settings.Mistake(
                description: "The backup is not whole: \(first)"
                    + (wrong.count > 1 ? ", and \(wrong.count - 1) more." : ".")
                    + " Take another one.")
        }
        say("Bringing the photos back.")
        let kept: any PhotoStorage = bucket ?? ServerBackup.photos(at: backup.place)
        let whose = FolderOwner(photos.folder)
        for (index, hash) in try backup.photoHashes().map(String.init).enumerated() {
            guard try photos.size(hash) != kept.size(of: hash), let bytes = try kept.whole(hash) else { continue }
            try photos.store(bytes, hash: hash)
            if index % 1000 == 999 { say("\(index + 1) photos.") }
        }
        whose?.give()
        say("Bringing the database back.")
        try PostgresTool(name: "pg_restore", connection: words).run(
            ["--no-owner", "--exit-on-error", "--single-transaction", ServerBackup.dump(in: backup.folder).path])
        return manifest
    }
}

/// Where the photos of all backups of a place lie.
enum KeptPhotos {
    case folder(PhotoFolder)
    /// With those that are there, so that nobody has to ask for each.
    case bucket(PhotoBucket, known: Set<PhotoHash>)

    var storage: any PhotoStorage {
        switch self {
        case .folder(let folder): folder
        case .bucket(let bucket, _): bucket
        }
    }

    /// Whether one has to be copied here. One that is gone at the server and is here stays here.
    func wants(_ hash: String, from photos: PhotoStore) throws -> Bool {
        switch self {
        case .folder(let folder):
            let (there, here) = (try photos.size(hash), try folder.size(of: hash))
            return here == nil || (there != nil && there != here)
        case .bucket(_, let known):
            return PhotoHash(hash[...]).map { !known.contains($0) } ?? false
        }
    }

    func mark(_ hash: String, at time: Date, isNew: Bool) -> Bool {
        guard case .folder(let folder) = self else { return false }
        return folder.mark(hash, at: time, isNew: isNew)
    }
}
