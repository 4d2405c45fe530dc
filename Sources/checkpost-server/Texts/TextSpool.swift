import Foundation
import Synchronization

/// Texts that the modem has handed over and that are not in the database yet: a file each, so that none is lost when PostgreSQL is away or the
/// power goes. The modem deletes a text when it has handed it over: one that can't be written stays in memory until the database has it.
final class TextSpool: Sendable {
    struct Kept: Codable, Sendable, Equatable {
        /// Its file, and by which the database knows it again.
        var id: String
        var sender: String?
        var body: String
    }

    /// More than a year of a busy post; what comes beyond it is left in the log.
    static let maximum = 20_000

    /// Of those that can't be written, the oldest are given up beyond so many.
    private static let mostInMemory = 1000

    let folder: String

    private static let suffix = ".json"

    private let inMemory = Mutex<[Kept]>([])

    init(folder: String) {
        self.folder = folder
    }

    /// - Returns: whether it is on the disk. One that isn't waits in memory.
    func keep(_ text: Kept) -> Bool {
        if write(text) { return true }
        inMemory.withLock { $0 = ($0 + [text]).suffix(Self.mostInMemory) }
        return false
    }

    private func write(_ text: Kept) -> Bool {
        guard files(limit: Self.maximum).count < Self.maximum, let data = try? JSONEncoder().encode(text) else {
            return false
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let temporary = path(text.id) + ".part"
            guard
                FileManager.default.createFile(atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600])
            else { return false }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: temporary))
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
            guard rename(temporary, path(text.id)) == 0 else { return false }
        } catch {
            return false
        }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    /// The oldest first.
    func waiting(limit: Int) -> [String] {
        Array((inMemory.withLock { $0.map(\.id) } + files(limit: limit)).sorted().prefix(limit))
    }

    private func files(limit: Int) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(Self.suffix) }.sorted().prefix(limit).map {
            String($0.dropLast(Self.suffix.count))
        }
    }

    /// - Returns: nil where its file can't be read.
    func text(_ id: String) -> Kept? {
        if let kept = inMemory.withLock({ $0.first { $0.id == id } }) { return kept }
        guard let data = FileManager.default.contents(atPath: path(id)) else { return nil }
        return try? JSONDecoder().decode(Kept.self, from: data)
    }

    func remove(_ id: String) {
        inMemory.withLock { $0.removeAll { $0.id == id } }
        unlink(path(id))
    }

    /// Lets a file that can't be read keep no other from its turn. It stays, for somebody to look at.
    ///
    /// - Returns: its name now.
    func setAside(_ id: String) -> String {
        rename(path(id), path(id) + ".unreadable")
        return path(id) + ".unreadable"
    }

    private func path(_ id: String) -> String { folder + "/" + id + Self.suffix }
}
