import Crypto
import Foundation

/// One SQL file of the schema.
package struct MigrationFile: Sendable, Equatable {
    package let name: String
    package let text: String
    /// Of the bytes as they stand in the file, in hexadecimal.
    package let sha256: String

    package init(name: String, data: Data) {
        self.name = name
        text = String(decoding: data, as: UTF8.self)
        sha256 = SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
    }

    /// The SQL files of a folder in the order of their names.
    package static func files(inFolder folder: String) throws -> [MigrationFile] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw Migrator.Failure(
                description: "There is no folder \(folder). Name the one with the SQL files with --migrations, "
                    + "or leave it out: the program has its own.")
        }
        let files = try names.filter { $0.hasSuffix(".sql") }.sorted().map { name in
            MigrationFile(
                name: name, data: try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(name)))
        }
        guard !files.isEmpty else { throw Migrator.Failure(description: "\(folder) has no SQL files.") }
        return files
    }
}

/// The migrations that this program was built with. The build writes `files` from `deploy/server/migrations`.
package enum EmbeddedMigrations {
    /// In the order of their names.
    package static let all: [MigrationFile] = files.map { file in
        MigrationFile(name: file.name, data: Data(base64Encoded: file.base64) ?? Data())
    }.sorted { $0.name < $1.name }
}
