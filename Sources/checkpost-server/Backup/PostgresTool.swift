import Enforcement
import Foundation

/// A program of PostgreSQL's, `pg_dump` or `pg_restore`, with the connection of the tables' owner.
struct PostgresTool {
    let name: String
    let connection: ConnectionWords

    /// What it says last is enough to know what was wrong.
    private static let mostComplaint = 4000

    private var path: String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").map(String.init)
        return folders.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    /// Runs it to its end.
    ///
    /// - Throws: ``Settings/Mistake`` with its own words when it failed.
    func run(_ arguments: [String]) throws {
        guard let path else {
            throw Settings.Mistake(description: "\(name) is missing: apt-get install postgresql-client")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--dbname=\(connection.text)", "--no-password"] + arguments
        var environment = ProcessInfo.processInfo.environment
        if let password = connection.password { environment["PGPASSWORD"] = password }
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        do { try process.run() } catch {
            throw Settings.Mistake(description: "\(path) can't be started: \(error.localizedDescription)")
        }
        var said = Data()
        while true {
            let piece = errors.fileHandleForReading.availableData
            guard !piece.isEmpty else { break }
            said = (said + piece).suffix(Self.mostComplaint)
        }
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let words = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            throw Settings.Mistake(description: "\(name) failed: \(words.isEmpty ? "it said nothing" : words)")
        }
    }
}
