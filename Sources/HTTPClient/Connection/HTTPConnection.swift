import CCurl
import Enforcement
import Foundation

/// Asks over HTTP, through libcurl, and blocks until the answer is over.
///
/// One thread uses it; its `cancellation` may be used by any. The connection to a server stays open between requests as long as the
/// object lives. Proxies are taken from the environment, as libcurl does.
package final class HTTPConnection {
    package let cancellation: HTTPCancellation
    private let handle: EasyHandle?
    private let meter: DataMeter?

    /// - Parameter meter: counts what goes over it; nil where nobody asks.
    package init(cancellation: HTTPCancellation = HTTPCancellation(), meter: DataMeter? = nil) {
        self.cancellation = cancellation
        self.meter = meter
        handle = EasyHandle()
    }

    /// Waits for the whole answer, whatever its status.
    package func perform(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
        var body = Data()
        let head = try perform(request) { _, bytes in
            body.append(contentsOf: bytes)
            return true
        }
        return HTTPAnswer(head: head, body: body)
    }

    /// Hands the body on as it comes.
    ///
    /// - Parameter taker: gets the head and a piece of the body, whatever the status; false ends the exchange, which is no failure. The
    ///   bytes are its own until it returns. It is not called for an answer without a body.
    /// - Returns: the head of the answer.
    @discardableResult
    package func perform(
        _ request: HTTPRequest, taker: @escaping (HTTPHead, UnsafeRawBufferPointer) -> Bool
    ) throws(HTTPFailure) -> HTTPHead {
        guard let handle else {
            throw HTTPFailure(kind: .notStarted, cause: "libcurl could not start; restart checkpost")
        }
        guard !cancellation.isCancelled else { throw Self.cancelled }
        let transfer = HTTPTransfer(mostBytes: request.limits.answerBytes, cancellation, meter: meter, taker)
        // Without `Expect:` libcurl waits a second for a 100 before it sends a photo.
        var lines = curl_slist_append(nil, "Expect:")
        for (name, value) in request.fields { lines = curl_slist_append(lines, "\(name): \(value)") }
        defer { curl_slist_free_all(lines) }
        handle.reset()
        // Afterwards nothing in it points to what is gone, and no password stays in it.
        defer { handle.reset() }
        Self.configure(handle, request)
        handle.set(CURLOPT_HTTPHEADER, list: lines)
        handle.set(transfer: transfer)
        let code = withExtendedLifetime(transfer) { handle.perform() }
        meter?.add(sent: handle.bytesSent)
        if code == CURLE_OK || transfer.isEnough { return transfer.head }
        if cancellation.isCancelled { throw Self.cancelled }
        let status = transfer.head.status
        if transfer.isTooLong, let bytes = request.limits.answerBytes {
            throw HTTPFailure(kind: .tooLong, cause: "the answer is longer than \(bytes) bytes", status: status)
        }
        throw HTTPFailure(kind: HTTPFailure.Kind(code), cause: handle.words(for: code), status: status)
    }

    private static let cancelled = HTTPFailure(kind: .cancelled, cause: "stopped")

    private static func configure(_ handle: EasyHandle, _ request: HTTPRequest) {
        handle.set(CURLOPT_URL, request.url.revealed)
        if let socket = request.socket { handle.set(CURLOPT_UNIX_SOCKET_PATH, socket) }
        handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        handle.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        handle.set(CURLOPT_FOLLOWLOCATION, request.mostRedirects > 0 ? 1 : 0)
        handle.set(CURLOPT_MAXREDIRS, request.mostRedirects)
        // Without it libcurl uses SIGALRM, which belongs to no thread.
        handle.set(CURLOPT_NOSIGNAL, 1)
        handle.set(CURLOPT_TCP_NODELAY, 1)
        handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        let limits = request.limits
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(limits.connect.milliseconds))
        if let total = limits.total { handle.set(CURLOPT_TIMEOUT_MS, Int(total.milliseconds)) }
        handle.set(CURLOPT_LOW_SPEED_LIMIT, 1)
        handle.set(CURLOPT_LOW_SPEED_TIME, max(1, Int(limits.silence.seconds.rounded(.up))))
        switch request.trust {
        case .system: break
        case .file(let path): handle.set(CURLOPT_CAINFO, path)
        case .anyone:
            handle.set(CURLOPT_SSL_VERIFYPEER, 0)
            handle.set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let login = request.login {
            // CURLAUTH_BASIC | CURLAUTH_DIGEST: the server says which, and the password crosses the wire in the clear only when it
            // knows nothing better.
            handle.set(CURLOPT_HTTPAUTH, 1 | 2)
            handle.set(CURLOPT_USERNAME, login.user)
            handle.set(CURLOPT_PASSWORD, login.password.revealed)
        }
        if let body = request.body { handle.set(body: body) }
        // It would wait for the body that the answer's length promises.
        if request.method == .head { handle.set(CURLOPT_NOBODY, 1) }
        handle.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
}

extension HTTPFailure.Kind {
    init(_ code: CURLcode) {
        self =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST: .unknownHost
            case CURLE_COULDNT_CONNECT: .noConnection
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE: .untrusted
            case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .badAddress
            case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects
            default: .other
            }
    }
}
