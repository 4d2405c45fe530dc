import Foundation

/// The proxies whose `X-Forwarded-For` is believed.
///
/// Each proxy appends the address that it was asked from. So the list is read from its end: what trusted ones say holds, up to the first
/// address that is none of them. Whatever a client wrote itself stands further left and is never reached.
/// Example, with 10.0.0.0/8 trusted: from 10.0.0.1, `6.6.6.6, 203.0.113.9, 10.0.0.7` means 203.0.113.9.
package struct TrustedProxies: Sendable, Equatable {
    private static let hopLimit = 20

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

    /// - Parameter texts: addresses (`127.0.0.1`, `::1`) and networks (`10.0.0.0/8`).
    /// - Throws: for a text that is neither.
    package init(_ texts: [String]) throws(Settings.Mistake) {
        guard texts.count <= 100 else {
            throw Settings.Mistake(description: "server.trusted_proxies has 100 entries at most.")
        }
        for text in texts {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let bytes = Self.bytes(String(parts[0])),
                let bits = parts.count > 1 ? Int(parts[1]) : bytes.count * 8, (0...bytes.count * 8).contains(bits)
            else {
                throw Settings.Mistake(
                    description: "server.trusted_proxies: \"\(text.prefix(60))\" is no address and no network. "
                        + "Examples: \"127.0.0.1\", \"10.0.0.0/8\", \"::1\".")
            }
            networks.append(Network(bytes: bytes, bits: bits))
        }
    }

    /// The address that a request comes from.
    ///
    /// - Parameters:
    ///   - neighbour: the other end of the connection.
    ///   - values: those of the header `X-Forwarded-For`, in order.
    package func client(of neighbour: String, forwardedFor values: [String]) -> String {
        guard !networks.isEmpty, isTrusted(neighbour) else { return neighbour }
        var client = neighbour
        let hops = values.flatMap { $0.split(separator: ",") }.map { $0.trimming(while: \.isWhitespace) }
        for hop in hops.suffix(Self.hopLimit).reversed() {
            // What is no address was not written by a proxy that knows its task; the last good one counts.
            guard let bytes = Self.bytes(hop) else { break }
            client = hop
            if !networks.contains(where: { $0.contains(bytes) }) { break }
        }
        return client
    }

    package func isTrusted(_ text: String) -> Bool {
        guard let bytes = Self.bytes(text) else { return false }
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
