import CCurl
import Enforcement
import Foundation

/// What an HTTP camera is asked.
struct HTTPRequest: Sendable {
    var address: CameraAddress
    /// Off only for a camera whose certificate nobody signed, on a network that is trusted.
    var verifiesTLS = true
    var connectTimeout = TimeSpan.seconds(5)
    /// A transfer that brings nothing for this long has failed.
    var stallTimeout = TimeSpan.seconds(10)
    /// The longest that a whole transfer may take; nil for a stream.
    var totalTimeout: TimeSpan?
}

/// One connection to a camera: a libcurl easy handle, used by one thread, which blocks in `perform`.
///
/// The handle lives as long as the object, so a camera that keeps its connection open is polled over one.
final class CurlTransfer: @unchecked Sendable {
    private static let isReady: Bool = curl_global_init(3) == CURLE_OK

    private let request: HTTPRequest
    private let handle: UnsafeMutableRawPointer
    private let cancelled = Guarded(false)
    private var onHead: (HTTPHead) -> Void = { _ in }
    private var onBody: (UnsafeRawBufferPointer) -> Bool = { _ in true }
    private var head = HTTPHead()
    private var toldHead = false
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: 256)

    init(_ request: HTTPRequest) throws(CameraFailure) {
        guard Self.isReady, let handle = curl_easy_init() else {
            throw CameraFailure("libcurl could not start", hint: "The memory may be full; restart checkpost.")
        }
        self.request = request
        self.handle = handle
        errorText.initialize(repeating: 0, count: 256)
    }

    deinit {
        curl_easy_cleanup(handle)
        errorText.deallocate()
    }

    /// Makes `perform` end within a second. From any thread.
    func cancel() { cancelled.withLock { $0 = true } }

    private var isCancelled: Bool { cancelled.withLock { $0 } }

    /// Blocks until the answer is over.
    ///
    /// - Parameters:
    ///   - onHead: told before the body's first bytes, for an answer of 200 only.
    ///   - onBody: the body's bytes as they come; false ends the transfer without an error.
    func perform(
        onHead: @escaping (HTTPHead) -> Void = { _ in }, onBody: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(CameraFailure) {
        self.onHead = onHead
        var isStopped = false
        self.onBody = { bytes in
            let goesOn = onBody(bytes)
            isStopped = !goesOn
            return goesOn
        }
        defer {
            self.onHead = { _ in }
            self.onBody = { _ in true }
        }
        head = HTTPHead()
        toldHead = false
        configure()
        let result = curl_easy_perform(handle)
        if isStopped || isCancelled { return }
        // After a redirect that libcurl would not follow, its own words say more than the status.
        let isRedirect = (300..<400).contains(head.status) && result != CURLE_OK
        if !isRedirect, let failure = failure(status: head.status) { throw failure }
        if result != CURLE_OK { throw failure(result) }
    }

    private func configure() {
        let address = request.address
        curl_easy_reset(handle)
        text(CURLOPT_URL, address.url.revealed)
        text(CURLOPT_PROTOCOLS_STR, "http,https")
        text(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        number(CURLOPT_FOLLOWLOCATION, 1)
        number(CURLOPT_MAXREDIRS, 5)
        number(CURLOPT_NOSIGNAL, 1)
        number(CURLOPT_TCP_NODELAY, 1)
        number(CURLOPT_TCP_KEEPALIVE, 1)
        number(CURLOPT_CONNECTTIMEOUT_MS, Int(request.connectTimeout.milliseconds))
        number(CURLOPT_LOW_SPEED_LIMIT, 1)
        number(CURLOPT_LOW_SPEED_TIME, max(1, Int(request.stallTimeout.seconds.rounded(.up))))
        if let total = request.totalTimeout { number(CURLOPT_TIMEOUT_MS, Int(total.milliseconds)) }
        if !request.verifiesTLS {
            number(CURLOPT_SSL_VERIFYPEER, 0)
            number(CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let user = address.user {
            // CURLAUTH_BASIC | CURLAUTH_DIGEST: the camera says which, and the password crosses the wire in the clear only when it
            // knows nothing better.
            number(CURLOPT_HTTPAUTH, 1 | 2)
            text(CURLOPT_USERNAME, user)
            text(CURLOPT_PASSWORD, address.password?.revealed ?? "")
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = checkpost_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
        _ = checkpost_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        _ = checkpost_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        _ = checkpost_curl_set_pointer(handle, CURLOPT_XFERINFODATA, context)
        _ = checkpost_curl_set_data_callback(handle, CURLOPT_HEADERFUNCTION) { data, size, count, context in
            guard let data, let context else { return 0 }
            Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                .receiveHeader(UnsafeRawBufferPointer(start: data, count: size * count))
            return size * count
        }
        _ = checkpost_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { data, size, count, context in
            guard let data, let context else { return 0 }
            let goesOn = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                .receiveBody(UnsafeRawBufferPointer(start: data, count: size * count))
            return goesOn ? size * count : 0
        }
        number(CURLOPT_NOPROGRESS, 0)
        _ = checkpost_curl_set_progress_callback(handle) { context, _, _, _, _ in
            guard let context else { return 1 }
            return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
        }
    }

    private func number(_ option: CURLoption, _ value: Int) { _ = checkpost_curl_set_long(handle, option, value) }
    private func text(_ option: CURLoption, _ value: String) { _ = checkpost_curl_set_text(handle, option, value) }

    private func receiveHeader(_ bytes: UnsafeRawBufferPointer) {
        head.take(line: String(decoding: bytes.prefix(4096), as: UTF8.self))
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isCancelled, head.status == 200 else { return false }
        if !toldHead {
            toldHead = true
            onHead(head)
        }
        return onBody(bytes)
    }

    private func failure(status: Int) -> CameraFailure? {
        let name = request.address.description
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

    private func failure(_ code: CURLcode) -> CameraFailure {
        let name = request.address.description
        let detail = errorText[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
        let said = request.address.secrets.redact(detail)
        let hint =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST: "Correct the host's name in `url`, or use its address in numbers."
            case CURLE_COULDNT_CONNECT:
                "Check that the camera has power and its cable, and that address and port are right."
            case CURLE_OPERATION_TIMEDOUT: "The camera or the network to it hangs; check the cable, restart the camera."
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE:
                "Give the camera a certificate that this box trusts, or set `verify_tls = false` on a network you trust."
            case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
                "`url` must begin with http:// or https:// and name a host."
            case CURLE_TOO_MANY_REDIRECTS: "The camera sends from one address to the next; use the last one."
            default: "It is tried again by itself; when it stays, restart the camera."
            }
        return CameraFailure("No pictures from \(name): \(said)", hint: hint)
    }
}
