import Foundation

/// The proxies whose `X-Forwarded-For` is believed.
///
/// Each proxy appends the address that it was asked from. So the list is read from its end: what trusted ones say holds, up to the first
/// address that is none of them. Whatever a client wrote itself stands further left and is never reached.
/// Example, with 10.0.0.0/8 trusted: from 10.0.0.1, `6.6.6.6, 203.0.113.9, 10.0.0.7` means 203.0.113.9.
package struct TrustedProxies: Sendable, Equatable {
    private static let hopLimit = 20

    private let list: AddressList

    /// - Parameter texts: addresses and networks, as ``AddressList`` takes them.
    package init(_ texts: [String]) throws(Settings.Mistake) {
        list = try AddressList(texts, key: "server.trusted_proxies")
    }

    /// The address that a request comes from.
    ///
    /// - Parameters:
    ///   - neighbour: the other end of the connection.
    ///   - values: those of the header `X-Forwarded-For`, in order.
    package func client(of neighbour: String, forwardedFor values: [String]) -> String {
        guard isTrusted(neighbour) else { return neighbour }
        var client = neighbour
        let hops = values.flatMap { $0.split(separator: ",") }.map { $0.trimming(while: \.isWhitespace) }
        for hop in hops.suffix(Self.hopLimit).reversed() {
            // What is no address was not written by a proxy that knows its task; the last good one counts.
            guard let isProxy = list.has(hop) else { break }
            client = hop
            if !isProxy { break }
        }
        return client
    }

    package func isTrusted(_ text: String) -> Bool { list.has(text) == true }
}
