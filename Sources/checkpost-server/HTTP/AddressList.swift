import Foundation

/// Addresses and networks that the configuration names.
package struct AddressList: Sendable, Equatable {
    private static let maximumEntries = 100

    private var networks: [Network] = []

    private struct Network: Sendable, Equatable {
        var bytes: [UInt8]
        var bits: Int

        func contains(_ address: [UInt8]) -> Bool {
            guard address.count == bytes.count else { return false }
            let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
            guard address.prefix(whole) == bytes.prefix(whole) else { return false }
            return rest == 0 || address[whole] >> (8 - rest) == bytes[whole] >> (8 - rest)
        }
    }

    /// - Parameters:
    ///   - texts: addresses (`127.0.0.1`, `::1`) and networks (`10.0.0.0/8`).
    ///   - key: what the list is called in the configuration.
    /// - Throws: for a text that is neither.
    package init(_ texts: [String], key: String) throws(Settings.Mistake) {
        guard texts.count <= Self.maximumEntries else {
            throw Settings.Mistake(description: "\(key) has \(Self.maximumEntries) entries at most.")
        }
        for text in texts {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let bytes = Self.bytes(String(parts[0])),
                let bits = parts.count > 1 ? Int(parts[1]) : bytes.count * 8, (0...bytes.count * 8).contains(bits)
            else {
                throw Settings.Mistake(
                    description: "\(key): \"\(text.prefix(60))\" is no address and no network. "
                        + "Examples: \"127.0.0.1\", \"10.0.0.0/8\", \"::1\".")
            }
            networks.append(Network(bytes: bytes, bits: bits))
        }
    }

    package var isEmpty: Bool { networks.isEmpty }

    /// - Returns: nil for what is no address.
    package func has(_ text: String) -> Bool? {
        guard let bytes = Self.bytes(text) else { return nil }
        return networks.contains { $0.contains(bytes) }
    }

    /// The 4 or 16 bytes of an address; an IPv4 address inside IPv6 (`::ffff:10.0.0.1`) has 4.
    private static func bytes(_ text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
        var sixteen = in6_addr()
        guard inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &sixteen) { Array($0) }
        return bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] ? Array(bytes.suffix(4)) : bytes
    }
}
