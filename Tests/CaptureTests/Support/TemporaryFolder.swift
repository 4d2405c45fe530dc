import Enforcement
import Foundation

@testable import Capture

/// A folder of its own for one test, gone with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "checkpost-capture-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ data: Data, _ name: String) throws {
        try data.write(to: URL(fileURLWithPath: file(name)))
    }

    /// Sets the modification time to so many seconds ago.
    func age(_ name: String, seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: file(name))
    }

    func source(
        _ mode: FolderSource.Mode = .watch, truncatedAfter: TimeSpan = .seconds(10),
        taken: @escaping FolderSource.TakenQuery = { _ in [] }
    ) -> FolderSource {
        FolderSource(
            camera: "gate", path: path, mode: mode, clock: .simulated, truncatedAfter: truncatedAfter, taken: taken)
    }
}
