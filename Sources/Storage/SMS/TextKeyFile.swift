import Enforcement
import Foundation
import ParkAPI

/// What this post signs its texts with: `<data folder>/text.key`, for its user alone. It is in no backup; a new disk fetches it again.
package struct TextKeyFile: Sendable {
    package let file: URL

    /// - Parameter dataFolder: of the database.
    package init(dataFolder: URL) {
        file = dataFolder.appendingPathComponent("text.key")
    }

    /// nil while texts are not signed: the server wants none, has not been asked, or the file can't be read.
    package func read() -> TextKey? {
        guard let data = FileManager.default.contents(atPath: file.path), data.count < 4096 else { return nil }
        return try? JSONDecoder().decode(TextKeyWord.self, from: data).key
    }

    /// Keeps what the server says. It is on the disk when this returns.
    ///
    /// - Parameter key: nil: texts are not signed any longer.
    /// - Throws: `StoreError`, without the key.
    package func keep(_ key: TextKey?) throws {
        guard key != read() else { return }
        do {
            if let key {
                try DurableFile.write(JSONEncoder().encode(TextKeyWord(key)), to: file, mode: 0o600)
            } else {
                try DurableFile.remove(file)
            }
        } catch let error as DurableFile.Failure {
            throw PhotoStore.storeError(error)
        }
    }
}

extension Store {
    package var textKey: TextKeyFile {
        TextKeyFile(dataFolder: URL(fileURLWithPath: path).deletingLastPathComponent())
    }
}
