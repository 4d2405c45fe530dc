import Foundation

/// Texts that the modem has handed over and that are not in the database yet: a file each, so that none is lost when PostgreSQL is away or the
/// power goes. The modem deletes a text once its file is on the disk.
struct TextSpool: Sendable {
    struct Kept: Codable, Sendable, Equatable {
        /// Its file, and by which the database knows it again.
        var id: String
        var sender: String?
        var body: String
    }

    /// More than a year of a busy post; what comes beyond it is left in the log.
    static let maximum = 20_000

    let folder: String

    private static let suffix = ".json"

    /// - Returns: whether it is on the disk.
    func keep(_ text: Kept) -> Bool {
        guard waiting(limit: Self.maximum).count < Self.maximum, let data = try? JSONEncoder().encode(text) else {
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

    /// The oldest first. What can't be read is passed over.
    func waiting(limit: Int) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(Self.suffix) }.sorted().prefix(limit).map {
            String($0.dropLast(Self.suffix.count))
        }
    }

    func text(_ id: String) -> Kept? {
        guard let data = FileManager.default.contents(atPath: path(id)) else { return nil }
        return try? JSONDecoder().decode(Kept.self, from: data)
    }

    func remove(_ id: String) { unlink(path(id)) }

    private func path(_ id: String) -> String { folder + "/" + id + Self.suffix }
}
