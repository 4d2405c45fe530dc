import Enforcement
import Foundation
import HTTPClient

/// One connection to a camera, used by one thread, which blocks in `perform`. What fails is told as a technician can mend it.
///
/// A camera that keeps its connection open is polled over one.
final class CameraConnection {
    private let address: CameraAddress
    private let request: HTTPRequest
    private let connection: HTTPConnection

    init(_ address: CameraAddress, _ request: HTTPRequest, cancellation: HTTPCancellation) {
        self.address = address
        self.request = request
        connection = HTTPConnection(cancellation: cancellation)
    }

    /// Blocks until the answer is over.
    ///
    /// - Parameter onBody: the head and the body's bytes as they come, of an answer of 200 only; false ends the exchange without an error.
    func perform(onBody: @escaping (HTTPHead, UnsafeRawBufferPointer) -> Bool) throws(CameraFailure) {
        let status: Int
        do {
            status = try connection.perform(request) { head, bytes in head.status == 200 && onBody(head, bytes) }.status
        } catch {
            // After a redirect that was not followed, libcurl's own words say more than the status.
            let isRedirect = (300..<400).contains(error.status)
            if !isRedirect, let failure = failure(status: error.status) { throw failure }
            throw failure(error)
        }
        if let failure = failure(status: status) { throw failure }
    }

    private func failure(status: Int) -> CameraFailure? {
        let name = address.description
        switch status {
        case 0, 200: return nil
        case 401:
            return CameraFailure(
                "The camera at \(name) refuses the login", hint: "Correct user and password in the configuration.",
                retriesLate: true)
        case 403:
            return CameraFailure(
                "The camera at \(name) forbids the request (403)",
                hint: "Give the camera's user the right to see pictures.",
                retriesLate: true)
        case 404:
            return CameraFailure(
                "The camera at \(name) has nothing at this path (404)",
                hint: "Look up the path of the picture or stream in the camera's manual and correct `url`.")
        default:
            return CameraFailure(
                "The camera at \(name) answers with status \(status)",
                hint: "Try the address in a browser; restart the camera.")
        }
    }

    private func failure(_ failure: HTTPFailure) -> CameraFailure {
        let name = address.description
        func failed(_ hint: String) -> CameraFailure {
            CameraFailure("No pictures from \(name): \(address.secrets.redact(failure.cause))", hint: hint)
        }
        return switch failure.kind {
        case .notStarted:
            CameraFailure("libcurl could not start", hint: "The memory may be full; restart checkpost.")
        case .tooLong:
            CameraFailure(
                "The camera at \(name) sends a picture of more than \(MultipartParser.largestPart >> 20) MB",
                hint: "Set a smaller picture size in the camera.")
        case .unknownHost: failed("Correct the host's name in `url`, or use its address in numbers.")
        case .noConnection:
            failed("Check that the camera has power and its cable, and that address and port are right.")
        case .timedOut: failed("The camera or the network to it hangs; check the cable, restart the camera.")
        case .untrusted:
            failed(
                "Give the camera a certificate that this box trusts, or set `verify_tls = false` on a network you trust."
            )
        case .badAddress: failed("`url` must begin with http:// or https:// and name a host.")
        case .tooManyRedirects: failed("The camera sends from one address to the next; use the last one.")
        case .cancelled, .other: failed("It is tried again by itself; when it stays, restart the camera.")
        }
    }
}
