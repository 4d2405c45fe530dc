/// Why no answer came, or not all of one.
package struct HTTPFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        /// libcurl has no memory to begin with.
        case notStarted
        case cancelled
        /// The body is longer than the request allows.
        case tooLong
        /// The host's name is unknown.
        case unknownHost
        /// Nothing listens there, or there is no way to it.
        case noConnection
        /// A limit of time was reached, or nothing came for too long.
        case timedOut
        /// The certificate is not one that is believed.
        case untrusted
        /// No address of http or https, asked for or redirected to.
        case badAddress
        case tooManyRedirects
        case other
    }

    package var kind: Kind

    /// libcurl's own words where it has some; they name host and port.
    package var cause: String

    /// The status of an answer that had begun; 0 when none had.
    package var status = 0

    package var description: String { cause }
}
