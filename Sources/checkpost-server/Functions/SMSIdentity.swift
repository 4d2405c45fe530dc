import Crypto
import Foundation

/// The identity that a passage has from the text of its SMS.
package enum SMSIdentity {
    /// The namespace of the UUID v5: part of the contract with every device and with the migrations, never to be changed.
    package static let namespace = UUID(
        uuid: (0x6f, 0x1c, 0x9a, 0x52, 0x3f, 0x0e, 0x5d, 0x5b, 0x9c, 0x1a, 0x7b, 0x5f, 0x0f, 0x6f, 0x2e, 0x11))

    /// UUID v5 (RFC 9562) over the text's UTF-8 bytes exactly as they are sent.
    package static func uuid(ofText text: String) -> UUID {
        uuid(namespace: namespace, name: text)
    }

    /// Example: in the DNS namespace, `www.example.com` is 2ed6657d-e927-568b-95e1-2665a8aea6a2.
    package static func uuid(namespace: UUID, name: String) -> UUID {
        var hash = Insecure.SHA1()
        withUnsafeBytes(of: namespace.uuid) { hash.update(bufferPointer: $0) }
        hash.update(data: Data(name.utf8))
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0f | 0x50
        bytes[8] = bytes[8] & 0x3f | 0x80
        return NSUUID(uuidBytes: bytes) as UUID
    }
}
