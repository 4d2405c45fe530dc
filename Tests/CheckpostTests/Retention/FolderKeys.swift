import Capture

enum FolderKeys {
    /// The source keys of the pictures in a folder.
    static func of(_ path: String) throws -> [String] {
        try FolderSource(camera: "gate", path: path, mode: .watch).sourceKeys().sorted()
    }
}
