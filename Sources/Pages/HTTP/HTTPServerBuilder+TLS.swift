import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import NIOSSL

extension HTTPServerBuilder {
    /// The same over TLS 1.2 or later.
    ///
    /// - Parameters:
    ///   - certificate: a file with the certificate and those that vouch for it, in PEM.
    ///   - key: a file with its private key, in PEM.
    package func secured(certificate: String, key: String) throws -> HTTPServerBuilder {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        tls.minimumTLSVersion = .tlsv12
        return try .tls(self, tlsConfiguration: tls)
    }
}
