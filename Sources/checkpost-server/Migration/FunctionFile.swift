import Crypto
import Foundation

/// The SQL file of one function: its comment, `create or replace function`, and who may execute it.
package struct FunctionFile: Sendable, Equatable {
    /// Below the folder of the functions: `matching/checkpost.match_passage.sql`.
    package let path: String
    package let text: String
    /// Of the bytes as they stand in the file, in hexadecimal.
    package let sha256: String

    package init(path: String, data: Data) {
        self.path = path
        text = String(decoding: data, as: UTF8.self)
        sha256 = SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
    }

    /// `checkpost.match_passage`: a name is that of one function, so there is one file a name.
    package var name: String {
        String(path.split(separator: "/").last?.dropLast(".sql".count) ?? "")
    }

    /// `checkpost.match_passage(uuid, uuid)`, as the file takes its rights from everybody. Nil when the file is not of the form that
    /// every one has: it would leave a function behind that nobody watches, or that everybody may execute.
    package var signature: String? {
        let made = text.matches(of: #/(?m)^create\b.*?\bfunction ([\w.]+)\(/#).map { String($0.1) }
        let closed = text.firstMatch(of: #/(?m)^revoke all on function ([\w.]+)(\([^)]*\))\s+from public,/#)
        guard made == [name], text.contains("\ncreate or replace function "), let closed, closed.1 == name else {
            return nil
        }
        return name + closed.2
    }

    /// The SQL files of a folder and its folders in the order of their paths.
    package static func files(inFolder folder: String) throws -> [FunctionFile] {
        guard let paths = FileManager.default.enumerator(atPath: folder) else {
            throw Migrator.Failure(
                description: "There is no folder \(folder). Name the one with the functions with --functions, "
                    + "or leave it out: the program has its own.")
        }
        let files = try paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".sql") }.sorted().map { path in
            FunctionFile(
                path: path, data: try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(path)))
        }
        guard !files.isEmpty else { throw Migrator.Failure(description: "\(folder) has no SQL files.") }
        return files
    }
}

/// The functions that this program was built with. The build writes `files` from `deploy/server/functions`.
package enum EmbeddedFunctions {
    /// In the order of their paths.
    package static let all: [FunctionFile] = files.map { file in
        FunctionFile(path: file.name, data: Data(base64Encoded: file.base64) ?? Data())
    }.sorted { $0.path < $1.path }
}
