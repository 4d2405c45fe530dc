import Capture
import Enforcement
import Foundation
import Storage

/// Makes a box one that has never run: records, pictures, keys, sessions and, unless it is to be kept, the configuration with its passwords go.
///
/// All of it is first moved aside below the data folder, which takes a moment however much there is, and then removed. A mark in the data
/// folder says that it has begun: after a power cut the next start of the appliance moves the rest, so that no box runs on half of its records.
package struct FactoryReset {
    /// So long files are removed in one run, at most. The box is as new before; what is left goes with the next start or the next run.
    package static let longest = TimeSpan.minutes(10)

    private static let markName = "factory-reset.begun"
    private static let asidePrefix = ".factory-reset-"

    /// What is not the box's to move: a lock that is held, what a file system keeps for itself, and what was moved already.
    private static func stays(_ name: String) -> Bool {
        ["run.lock", "lost+found", markName].contains(name) || name.hasPrefix(asidePrefix)
    }

    private let configuration: Configuration
    private let configPath: String
    private let home: DataHome

    /// That of this box: the usual one belongs to the box in the usual place.
    private let spare: String?

    package init(_ configuration: Configuration, configPath: String) {
        self.configuration = configuration
        self.configPath = URL(fileURLWithPath: configPath).standardizedFileURL.path
        home = DataHome(configuration)
        let isOurs =
            configuration.spareFolder != nil || home.folder == Configuration().homeFolder
            || home.remembered?.folder == home.folder
        spare = isOurs ? home.spare : nil
    }

    /// What would be lost for good; nil where the server has everything.
    ///
    /// - Returns: a sentence; also where nobody can say.
    package func loss() -> String? {
        // What was made while the disk was away counts nowhere else yet.
        if let spare, !Self.isEmpty(spare + "/data") || !Self.isEmpty(spare, of: "home-") {
            return
                "Records that were made while the disk was away lie in \(spare): whether the server has them can't be said."
        }
        guard FileManager.default.fileExists(atPath: configuration.databasePath) else {
            return Self.isEmpty(home.folder)
                ? nil
                : "There is no database in \(home.folder), and other files are: whether the server has all can't be said."
        }
        do {
            let store = try Store(path: configuration.databasePath)
            defer { try? store.close() }
            let figures = try SyncFigures(store, at: BoxClock.now)
            let reviews = try store.figures.now().waitingForReview
            var parts: [String] = []
            let waiting = figures.waiting + figures.refused
            if waiting > 0 { parts.append(Wording.count(waiting, "record")) }
            let photos = figures.photosWaiting + figures.photosFailed
            if photos > 0 { parts.append(Wording.count(photos, "photo")) }
            if reviews > 0 { parts.append(Wording.count(reviews, "vehicle") + " in review") }
            let kept = try store.keptTexts.count()
            if kept > 0 { parts.append(Wording.count(kept, "text") + " kept for other boxes") }
            guard !parts.isEmpty else { return nil }
            return "The server doesn't have \(parts.joined(separator: ", ")): that is lost for good."
        } catch {
            return "Whether the server has everything can't be said: \(String(sentence: error))"
        }
    }

    /// What it will do, line by line.
    package func plan(keepingConfiguration: Bool) -> [String] {
        var lines = [
            "Removed: everything in \(folders.joined(separator: " and ")): records, pictures, keys and sessions."
        ]
        lines.append(
            keepingConfiguration
                ? "Kept: \(configPath) and its passwords."
                : "Removed: \(configFiles().joined(separator: ", ")).")
        let outside = Self.cameraFolders(configuration).filter { path in
            !folders.contains { BackupPlace.lies(path, in: $0) }
        }
        if !outside.isEmpty {
            lines.append(
                "Kept: \(outside.joined(separator: ", ")). A new box would record what lies there once more: empty it.")
        }
        lines.append("Kept: backups on other media, and what the server has.")
        return lines
    }

    /// Whether a folder is not there, or holds nothing that would go but empty folders.
    ///
    /// - Parameter prefix: of the names that are looked at.
    private static func isEmpty(_ folder: String, of prefix: String = "") -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !stays($0) && $0.hasPrefix(prefix) }.allSatisfy { name in
            let path = folder + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0 else { return true }
            return status.st_mode & S_IFMT == S_IFDIR
                && ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).isEmpty
        }
    }

    /// What must not be there before anything is touched: another file system would stop it half way, or be emptied with the folder that it
    /// is mounted in, and what a link leads to would stay.
    private func findObstacles() throws {
        if home.obstacle != nil {
            throw AdvisedError(
                "\(home.folder) is not as it is when the box records: its disk is away, locked or read-only.",
                hint: "Bring it back first (checkpost status says what is wrong): what lies on the disk would stay.")
        }
        for folder in folders {
            let path = URL(fileURLWithPath: folder).standardizedFileURL.resolvingSymlinksInPath().path
            if let mount = MountList().mounts.first(where: { $0.place.hasPrefix(path + "/") }) {
                throw AdvisedError(
                    "\(mount.source) is mounted at \(mount.place).",
                    hint: "Unmount it first (sudo umount \(mount.place)); what is on it stays, and is removed by hand.")
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
                var status = stat()
                guard lstat(folder + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { continue }
                throw AdvisedError(
                    "\(folder)/\(name) is a link: what it leads to would stay.",
                    hint: "Empty that by hand, and remove the link.")
            }
        }
    }

    private var folders: [String] {
        [home.folder] + [spare].compactMap(\.self).filter { Presence.of($0) == .there }
    }

    /// The configuration, what setup and the box kept of it, what it told Avahi, and its passwords.
    private func configFiles() -> [String] {
        let folder = URL(fileURLWithPath: configPath).deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let passwords = names.filter { $0.hasSuffix(".password") }.map { folder + "/" + $0 }
        let all = ["", ".old", ".setup", ".kept"].map { configPath + $0 } + passwords
        // Whoever looks for boxes would find one that is none any more.
        let announcement = configPath == Configuration.defaultPath ? PeerAnnouncement.usualPath : nil
        let named = [configuration.server?.passwordFile, announcement].compactMap(\.self)
        return Array(Set(all + named)).filter { Presence.of($0) == .there }.sorted()
    }

    /// Does it.
    ///
    /// - Parameter say: told how far it is.
    /// - Returns: whether all is removed; else the box is as new, and the rest goes with its next start.
    /// - Throws: `AdvisedError` before anything was touched where the appliance runs, or this user may not do it.
    package func run(keepingConfiguration: Bool, longest: TimeSpan = longest, say: (String) -> Void) throws -> Bool {
        let deadline = DispatchTime.now().uptimeNanoseconds + UInt64(longest.milliseconds) * 1_000_000
        let parent = URL(fileURLWithPath: configPath).deletingLastPathComponent().path
        for folder in folders + (keepingConfiguration ? [] : [parent]) {
            guard access(folder, W_OK | X_OK) == 0 else {
                throw AdvisedError("\(folder) can't be written by this user.", hint: "Put sudo before the command.")
            }
        }
        if spare != nil, let standIn = home.standIn, RunLock.isHeld(folder: standIn) {
            throw AdvisedError("The appliance runs on \(standIn).", hint: "Stop it first: systemctl stop checkpost.")
        }
        try findObstacles()
        let lock = try RunLock(folder: home.folder)
        defer { withExtendedLifetime(lock) {} }
        try Self.begin(in: home.folder)
        try Self.moveAside(in: home.folder, keeping: Self.cameraFolders(configuration))
        if let spare, Presence.of(spare) == .there { try Self.moveAside(in: spare, keeping: []) }
        // From here on what lies there is the new box's: a mark would take it for the old one's.
        unlink(home.folder + "/" + Self.markName)
        if !keepingConfiguration {
            for file in configFiles() where unlink(file) != 0 {
                throw AdvisedError(
                    "\(file) can't be removed: \(String(cString: strerror(errno))).", hint: "Remove it by hand.")
            }
        }
        // Where no appliance ever ran it is root's, and the service has to hold it.
        FolderOwner.give(everythingIn: home.folder + "/run.lock", of: home.folder)
        say("The box is as new. What was moved aside is removed now.")
        return folders.allSatisfy { Self.removeAside(in: $0, until: deadline, say: say) }
    }

    /// Ends what a power cut or the time has left; for the appliance at its start, which holds the lock.
    static func goOn(_ configuration: Configuration) throws {
        let folder = configuration.dataFolder
        let mark = folder + "/" + markName
        if let begun = changed(mark) {
            // A database that was written since is a new box's.
            if changed(configuration.databasePath).map({ $0 <= begun }) ?? true {
                try moveAside(in: folder, keeping: cameraFolders(configuration))
            }
            unlink(mark)
        }
        let deadline = DispatchTime.now().uptimeNanoseconds + UInt64(longest.milliseconds) * 1_000_000
        let places = [folder, DataHome(configuration).spare].compactMap(\.self)
        let isLeft = places.contains { place in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            return names.contains { $0.hasPrefix(asidePrefix) }
        }
        guard isLeft else { return }
        // Recording doesn't wait for it.
        let thread = Thread { for place in places { _ = removeAside(in: place, until: deadline) { _ in } } }
        thread.name = "factory-reset"
        thread.start()
    }

    /// When a file was written last, in seconds since 1970; nil where there is none.
    private static func changed(_ path: String) -> Double? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    }

    // MARK: Files

    private static func cameraFolders(_ configuration: Configuration) -> [String] {
        configuration.cameras.compactMap { if case .folder(let path) = $0.kind { path } else { nil } }
    }

    private static func begin(in folder: String) throws {
        try DurableFile.write(Data(), to: URL(fileURLWithPath: folder + "/" + markName), mode: 0o644)
    }

    /// Moves what lies in a folder below it. The database goes first: what is moved of it is no database that a start would take up.
    ///
    /// - Parameter folders: are there again afterwards, empty, with their owner and their rights.
    private static func moveAside(in folder: String, keeping folders: [String]) throws {
        let aside = folder + "/" + asidePrefix + UUID().uuidString.prefix(8).lowercased()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !stays($0) }
        guard !names.isEmpty else { return }
        try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: false)
        // The service removes what the time has left.
        FolderOwner.give(everythingIn: aside, of: folder)
        let database = names.filter { $0.hasPrefix("checkpost.sqlite") }.sorted()
        for name in database + names.filter({ !database.contains($0) }) {
            let (from, to) = (folder + "/" + name, aside + "/" + name)
            var status = stat()
            let isKept = stat(from, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && folders.contains(from)
            guard rename(from, to) == 0 || errno == ENOENT else {
                throw AdvisedError(
                    "\(from) can't be moved: \(String(cString: strerror(errno))).",
                    hint: "A disk that is mounted there is emptied by hand; then run the command again.")
            }
            guard isKept else { continue }
            try FileManager.default.createDirectory(atPath: from, withIntermediateDirectories: false)
            _ = chown(from, status.st_uid, status.st_gid)
            _ = chmod(from, status.st_mode & 0o7777)
        }
        try DurableFile.syncFolder(URL(fileURLWithPath: folder))
    }

    /// - Returns: whether nothing is left.
    private static func removeAside(in folder: String, until deadline: UInt64, say: (String) -> Void) -> Bool {
        var removed = 0
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(asidePrefix) }.allSatisfy {
            remove(folder + "/" + $0, until: deadline) {
                removed += 1
                if removed % 10_000 == 0 { say("\(removed) files removed") }
            }
        }
    }

    private static func remove(_ path: String, until deadline: UInt64, count: () -> Void) -> Bool {
        guard DispatchTime.now().uptimeNanoseconds < deadline else { return false }
        var status = stat()
        guard lstat(path, &status) == 0 else { return errno == ENOENT }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            count()
            return unlink(path) == 0
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let isEmpty = names.reduce(true) { remove(path + "/" + $1, until: deadline, count: count) && $0 }
        return isEmpty && rmdir(path) == 0
    }
}
