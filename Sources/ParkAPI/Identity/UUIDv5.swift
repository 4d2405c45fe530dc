import Crypto
import Foundation

/// Identifiers derived from a name: the same name gives the same UUID everywhere (RFC 9562, version 5).
package enum UUIDv5 {
    /// The UUID of the UTF-8 bytes of `name` in `namespace`.
    ///
    /// Worked example: `www.example.com` in the DNS name space (`6ba7b810-9dad-11d1-80b4-00c04fd430c8`) is
    /// `2ed6657d-e927-568b-95e1-2665a8aea6a2`. SHA-1 is what the standard prescribes; nothing here rests on its strength.
    package static func make(namespace: UUID, name: String) -> UUID {
        var hash = Insecure.SHA1()
        withUnsafeBytes(of: namespace.uuid) { hash.update(bufferPointer: $0) }
        hash.update(data: Data(name.utf8))
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
