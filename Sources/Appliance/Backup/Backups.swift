import Enforcement
import Foundation
import Storage

/// Makes backups of the database, and removes those that are outdated.
package struct Backups: Sendable {
    private let configuration: Configuration
    private let store: Store
    private let place: BackupPlace?

    package init(_ configuration: Configuration, store: Store) {
        self.init(configuration, store: store, place: configuration.backup)
    }

    init(_ configuration: Configuration, store: Store, place: BackupPlace?) {
        self.configuration = configuration
        self.store = store
        self.place = place
    }

    /// What a backup came to.
    package struct Made: Sendable {
        package var path: String
        package var contents: DatabaseCopy.Contents

        /// Older ones that were removed.
        package var outdated: Int
    }

    /// Makes one now, checked, and writes down how it went.
    ///
    /// - Parameter folder: another place than the configured one.
    /// - Throws: `AdvisedError` or `StoreError`.
    package func make(into folder: String? = nil, at now: Instant) throws -> Made {
        do {
            guard let folder = try folder ?? place?.folder() else {
                throw AdvisedError(
                    "No place for backups is configured.",
                    hint: "Name one with --to, or set folder or label in [backup] of the configuration.")
            }
            guard !BackupPlace.lies(folder, in: URL(fileURLWithPath: store.path).deletingLastPathComponent().path)
            else {
                throw AdvisedError(
                    "\(folder) lies in the folder of the records: what ends them ends the backup.",
                    hint: "Name a folder on another disk or stick.")
            }
            let path = "\(folder)/\(Self.name(of: configuration.post.code, at: now))"
            let contents = try store.copy(to: path)
            try store.backups.record(
                BackupRecord(at: now, path: path, bytes: contents.bytes, passages: contents.passages))
            return Made(path: path, contents: contents, outdated: Self.rotate(folder, configuration.post.code))
        } catch {
            let problem = (error as? AdvisedError)?.description ?? "\(error)"
            // What is told is why the backup failed, also on a disk that takes no note of it.
            try? store.backups.record(BackupRecord(at: now, path: folder ?? "", problem: problem))
            throw error
        }
    }

    private static let fileEnd = ".sqlite"

    /// `BNP-A-20261123T030000Z.sqlite`: sorted by name is sorted by time.
    private static func name(of post: String, at now: Instant) -> String {
        "\(post)-\(now.fileStamp)\(fileEnd)"
    }

    /// When a backup of this post was made, by its name; nil for any other file.
    static func time(of name: String, post: String) -> Instant? {
        guard name.hasPrefix(post + "-"), name.hasSuffix("Z" + fileEnd) else { return nil }
        let digits = Array(name.dropFirst(post.count + 1).dropLast(fileEnd.count + 1))
        guard digits.count == 15, digits[8] == "T" else { return nil }
        let text = String(digits)
        func part(_ from: Int, _ count: Int) -> Substring { text.dropFirst(from).prefix(count) }
        return Instant(
            iso8601: "\(part(0, 4))-\(part(4, 2))-\(part(6, 2))T\(part(9, 2)):\(part(11, 2)):\(part(13, 2))Z")
    }

    /// - Returns: how many were removed. One that can't be removed now is tried again after the next backup.
    private static func rotate(_ folder: String, _ post: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let times = Dictionary(
            names.compactMap { name in time(of: name, post: post).map { ($0, name) } }, uniquingKeysWith: { $1 })
        return BackupRotation().outdated(Array(times.keys)).count { time in
            times[time].map { unlink("\(folder)/\($0)") == 0 } ?? false
        }
    }

    /// The newest backup of the post in a folder; nil when there is none.
    package static func newest(in folder: String, post: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { time(of: $0, post: post) != nil }.max().map { "\(folder)/\($0)" }
    }
}
