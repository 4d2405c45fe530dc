import Enforcement
import Foundation

/// What this box is known by to the other post: `<data folder>/peer.key`, 32 bytes, for its user alone. It is in no backup: a copy of the
/// records is not the box.
package struct PeerKeyFile: Sendable {
    package let file: URL

    package enum Content: Sendable, Equatable {
        case key(Data)
        case absent
        /// Why it can't be used.
        case unusable(String)
    }

    /// - Parameter dataFolder: of the database.
    package init(dataFolder: URL) { file = dataFolder.appendingPathComponent("peer.key") }

    package func read() -> Content {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT ? .absent : .unusable(String(cString: strerror(errno)))
        }
        var bytes = [UInt8](repeating: 0, count: 33)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        close(descriptor)
        return count == 32 ? .key(Data(bytes.prefix(32))) : .unusable("it is no key")
    }

    /// It is on the disk when this returns.
    ///
    /// - Throws: `StoreError`, without the key.
    package func keep(_ key: Data) throws {
        do {
            try DurableFile.write(key, to: file, mode: 0o600)
        } catch let error as DurableFile.Failure {
            throw PhotoStore.storeError(error)
        }
    }
}

extension Store {
    package var peerKey: PeerKeyFile {
        PeerKeyFile(dataFolder: URL(fileURLWithPath: path).deletingLastPathComponent())
    }
}
