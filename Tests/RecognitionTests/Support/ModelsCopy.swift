import Foundation

/// A copy of the shipped models to break; it goes with its owner.
final class ModelsCopy {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("models-\(UUID().uuidString)")
    var path: String { folder.path }

    init() throws {
        try FileManager.default.copyItem(at: URL(fileURLWithPath: Places.models), to: folder)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    subscript(name: String) -> URL { folder.appendingPathComponent(name) }
}
