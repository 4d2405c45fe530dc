import Crypto
import Enforcement
import Foundation
import Synchronization

/// The private keys that a box signs its evidence with: `<data folder>/evidence-keys/<public part>.key`, 32 bytes, for its user alone.
///
/// They are in no backup. Nobody can sign for a box with a copy of its records.
package final class EvidenceKeys: Sendable {
    package let folder: URL

    private let loaded = Mutex([String: Curve25519.Signing.PrivateKey]())

    /// - Parameter dataFolder: of the database.
    package init(dataFolder: URL) {
        folder = dataFolder.appendingPathComponent("evidence-keys")
    }

    package enum Standing: Sendable, Equatable {
        case here
        case absent
        /// It may be there: the reason is the system's.
        case unreadable(String)
    }

    private func file(_ key: String) -> URL { folder.appendingPathComponent(key + ".key") }

    /// Whether a key can be used, by what is on the disk now.
    package func standing(of key: String) -> Standing {
        let descriptor = open(file(key).path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT || errno == ENOTDIR ? .absent : .unreadable(String(cString: strerror(errno)))
        }
        close(descriptor)
        return read(key) == nil ? .unreadable("it is no key") : .here
    }

    /// The public parts of the keys that are here, the newest first.
    package func all() -> [String] {
        let keys: Set<URLResourceKey> = [.contentModificationDateKey]
        let files =
            (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys))) ?? []
        return files.filter { $0.pathExtension == "key" }
            .map { ($0, (try? $0.resourceValues(forKeys: keys).contentModificationDate) ?? .distantPast) }
            .sorted { ($0.1, $0.0.path) > ($1.1, $1.0.path) }
            .map { $0.0.deletingPathExtension().lastPathComponent }
            .filter { EvidenceText.bytes(ofKey: $0) != nil }
    }

    /// Makes a key that is on the disk when this returns.
    ///
    /// - Returns: its public part.
    /// - Throws: `StoreError` when the disk is full or the folder can't be written.
    package func make() throws -> String {
        let key = Curve25519.Signing.PrivateKey()
        let name = EvidenceEntry.hexadecimal(key.publicKey.rawRepresentation)
        try write(key.rawRepresentation, as: name)
        return name
    }

    private func write(_ raw: Data, as name: String) throws {
        do {
            try DurableFile.makeFolder(folder, below: folder.deletingLastPathComponent())
            _ = chmod(folder.path, 0o700)
            try DurableFile.write(raw, to: file(name), mode: 0o600)
        } catch let error as DurableFile.Failure {
            throw PhotoStore.storeError(error)
        }
    }

    /// Takes over the keys of another folder of records, so that its chain goes on here. What is here stays.
    ///
    /// - Throws: `StoreError` when one can't be written.
    package func take(from other: EvidenceKeys) throws {
        for key in other.all() where standing(of: key) == .absent {
            guard let raw = other.read(key)?.rawRepresentation else { continue }
            try write(raw, as: key)
        }
    }

    package func remove(_ key: String) {
        loaded.withLock { $0[key] = nil }
        try? DurableFile.remove(file(key))
    }

    /// - Returns: nil when the key can't be used now. One that was used is kept: a file that is lost meanwhile keeps nobody from signing.
    package func sign(_ text: String, with key: String) -> Data? {
        let signing = loaded.withLock { loaded in
            if loaded[key] == nil { loaded[key] = read(key) }
            return loaded[key]
        }
        return try? signing?.signature(for: Data(text.utf8))
    }

    private func read(_ key: String) -> Curve25519.Signing.PrivateKey? {
        guard let raw = try? Data(contentsOf: file(key)), raw.count == 32,
            let signing = try? Curve25519.Signing.PrivateKey(rawRepresentation: raw),
            EvidenceEntry.hexadecimal(signing.publicKey.rawRepresentation) == key
        else { return nil }
        return signing
    }
}
