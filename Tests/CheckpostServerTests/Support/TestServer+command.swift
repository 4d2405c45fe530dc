import Foundation
import TestKit

@testable import checkpost_server

extension TestServer {
    /// Runs a command of the program as an administrator would, with a file of settings that names this server's database and photos.
    ///
    /// - Parameter more: what else the file has.
    func command(
        _ arguments: [String], with more: String, _ database: TestDatabase
    ) async throws -> OtherProgram.Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).toml")
        defer { try? FileManager.default.removeItem(at: file) }
        try """
        [database]
        url = "\(database.ownerURL)"
        owner_url = "\(database.ownerURL)"
        [auth]
        jwt_secret = "a secret of the tests, long enough for HS256"
        [photos]
        folder = "\(settings.photoFolder)"
        \(more)
        """.write(to: file, atomically: true, encoding: .utf8)
        return try await OtherProgram.run(
            CommandTests.program, arguments + ["--config", file.path], input: "", limitSeconds: 60)
    }
}
