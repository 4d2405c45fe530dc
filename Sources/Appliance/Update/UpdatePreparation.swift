import Enforcement
import Foundation
import Storage

/// Makes a new program ready beside the one that runs: unpacked, with a backup of the database, tried on a copy of it. The box records
/// meanwhile.
struct UpdatePreparation {
    let places: UpdatePlaces
    let tools: UpdateTools
    let place: BoxPlace
    let package: UpdatePackage
    let say: (String) -> Void

    private var version: String { package.version }

    /// - Returns: how the box does now, and the backup.
    /// - Throws: `AdvisedError` or `StoreError` that says why the version is not to be switched to.
    func run(at now: Instant) throws -> (baseline: UpdateBaseline, backup: String) {
        let configuration = try place.configuration()
        try needHome(configuration)
        let bytes = Self.databaseBytes(configuration.databasePath)
        try package.needRoom(databaseBytes: bytes, freeBytes: DiskSpace.freeBytes(at: places.folder))
        try unpack()
        say("unpacked beside the version that runs")
        let store = try Store(path: configuration.databasePath)
        defer { try? store.close() }
        // Older ones were for earlier updates.
        try? FileManager.default.removeItem(atPath: places.backups)
        try places.make()
        let backup = try Backups(configuration, store: store, place: nil).make(into: places.backups, at: now)
        say("the database is backed up: \(backup.path), \(backup.contents.passages) passages")
        try rehearse(backup.path, for: configuration)
        return (try UpdateHealth(places: places, tools: tools, place: place).baseline(store, at: now), backup.path)
    }

    /// A backup of what stands in for the records would be none.
    private func needHome(_ configuration: Configuration) throws {
        guard configuration.dataFolder == configuration.homeFolder, Presence.of(configuration.databasePath) == .there
        else {
            throw AdvisedError(
                "The records are not there: \(configuration.homeFolder).",
                hint: "checkpost status says what is wrong. Update when the box records on its own disk.")
        }
    }

    private static func databaseBytes(_ path: String) -> Int {
        ["", "-wal"].compactMap { try? FileManager.default.attributesOfItem(atPath: path + $0)[.size] as? Int }
            .reduce(0, +)
    }

    /// It gets its name when all of it is on the disk.
    private func unpack() throws {
        let (tree, part) = (places.tree(of: version), places.tree(of: version) + ".part")
        // Of earlier updates; the program that runs is the installed one.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: places.versions)) ?? [] {
            try FileManager.default.removeItem(atPath: "\(places.versions)/\(name)")
        }
        try tools.unpack(places.package, into: part)
        chmod(part, 0o755)
        guard access(part + "/usr/bin/checkpost", X_OK) == 0 else {
            throw AdvisedError("The package has no program /usr/bin/checkpost.", hint: "Make the package again.")
        }
        try DurableFolder.syncAll(part)
        guard rename(part, tree) == 0 else {
            throw AdvisedError("\(tree) can't be named: \(String(cString: strerror(errno))).", hint: "Run this again.")
        }
        try DurableFolder.sync(places.versions)
        let started = BoundedProgram.run(places.program(of: version), ["--version"], seconds: 30)
        guard started.status == 0 else {
            throw AdvisedError(
                "The new program does not start: \(started.output.trimmingCharacters(in: .whitespacesAndNewlines))",
                hint: "A library that is missing comes with apt, which needs the internet: sudo apt install ./FILE.deb."
            )
        }
    }

    /// Both programs test themselves on the same copy of the database, the installed one first: what fails with it is not the new one's fault.
    /// The new one brings the copy to its own form, and the box's database is not touched.
    private func rehearse(_ backup: String, for configuration: Configuration) throws {
        let folder = places.rehearsal
        try? FileManager.default.removeItem(atPath: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let database = folder + "/checkpost.sqlite"
        try FileManager.default.copyItem(atPath: backup, toPath: database)
        FolderOwner.give([folder, database], of: configuration.dataFolder)
        let before = try selfTest(places.installedProgram, database)
        let after = try selfTest(places.program(of: version), database)
        if let worse = UpdateSelfTest.worse(than: before, after) {
            throw AdvisedError("\(version): \(worse)", hint: "Nothing was switched. Tell whoever made the package.")
        }
        let passed = after.filter { $0.outcome == .passed }.map(\.check).joined(separator: ", ")
        say("its self-test on a copy of the database: \(passed.isEmpty ? "nothing failed" : "passed \(passed)")")
    }

    private func selfTest(_ program: String, _ database: String) throws -> [SelfTestFinding] {
        // Without a configuration that is named, root tests with the rights of the service.
        let named = place.config == nil ? [] : ["--config", place.configPath]
        let result = BoundedProgram.run(
            program, ["self-test", "--short", "--json", "--database", database] + named, seconds: 300, errors: false)
        return result.output.split(whereSeparator: \.isNewline).compactMap {
            try? JSONDecoder().decode(SelfTestFinding.self, from: Data($0.utf8))
        }
    }
}
