import CCurl
import Enforcement
import Foundation
import Synchronization

/// The server over HTTP, through libcurl. One easy handle, so that the connection stays open between requests.
///
/// It is used by one thread; `cancel` may be called from any.
package final class CurlTransport: SyncTransport {
    /// A longer answer is cut off: a page of 500 passages has a quarter of a megabyte.
    package static let maximumBodyBytes = 8 << 20

    private static let isReady: Bool = curl_global_init(3) == CURLE_OK

    private let base: String
    private let certificateFile: String?
    private let handle: UnsafeMutableRawPointer?
    private let canceller = Canceller()
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: 256)
    private var status = 0
    private var retryAfter: String?
    private var date: String?
    private var body = Data()
    private var isTooLong = false

    /// Ends what is under way within a second; from any thread.
    package final class Canceller: Sendable {
        private let flag = Mutex(false)
        package var isCancelled: Bool { flag.withLock { $0 } }
        package func cancel() { flag.withLock { $0 = true } }
    }

    /// - Parameters:
    ///   - url: the server's address: `https://park.example.org`.
    ///   - certificateFile: certificates in PEM form that are trusted instead of the system's.
    package init(url: String, certificateFile: String? = nil) {
        self.certificateFile = certificateFile
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
        handle = Self.isReady ? curl_easy_init() : nil
        errorText.initialize(repeating: 0, count: 256)
    }

    deinit {
        if let handle { curl_easy_cleanup(handle) }
        errorText.deallocate()
    }

    package var cancellation: Canceller { canceller }

    package func perform(_ request: SyncRequest) -> ServerExchange {
        guard let handle else { return .silent("libcurl could not start; restart checkpost") }
        guard !canceller.isCancelled else { return .silent("stopped") }
        status = 0
        retryAfter = nil
        date = nil
        body = Data()
        isTooLong = false
        errorText[0] = 0
        curl_easy_reset(handle)
        configure(handle, request)
        // Without `Expect:` libcurl waits a second for a 100 before it sends a photo.
        var lines = curl_slist_append(nil, "Expect:")
        for (name, value) in request.headers { lines = curl_slist_append(lines, "\(name): \(value)") }
        defer { curl_slist_free_all(lines) }
        _ = checkpost_curl_set_pointer(handle, CURLOPT_HTTPHEADER, lines)
        let result = curl_easy_perform(handle)
        guard result == CURLE_OK else { return .silent(reason(result)) }
        return .answered(ServerAnswer(status: status, retryAfter: retryAfter, date: date, body: body))
    }

    private func configure(_ handle: UnsafeMutableRawPointer, _ request: SyncRequest) {
        func number(_ option: CURLoption, _ value: Int) { _ = checkpost_curl_set_long(handle, option, value) }
        func text(_ option: CURLoption, _ value: String) { _ = checkpost_curl_set_text(handle, option, value) }
        text(CURLOPT_URL, base + request.path)
        text(CURLOPT_PROTOCOLS_STR, "http,https")
        if let certificateFile { text(CURLOPT_CAINFO, certificateFile) }
        // A redirect is a captive portal or a wrong address; the token must not follow it anywhere.
        number(CURLOPT_FOLLOWLOCATION, 0)
        number(CURLOPT_NOSIGNAL, 1)
        number(CURLOPT_TCP_NODELAY, 1)
        number(CURLOPT_TCP_KEEPALIVE, 1)
        number(CURLOPT_CONNECTTIMEOUT_MS, 10_000)
        number(CURLOPT_TIMEOUT_MS, Int(request.timeout.milliseconds))
        number(CURLOPT_LOW_SPEED_LIMIT, 1)
        number(CURLOPT_LOW_SPEED_TIME, 20)
        if let body = request.body {
            number(CURLOPT_POSTFIELDSIZE, body.count)
            body.withUnsafeBytes { bytes in
                let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? UnsafeRawPointer(errorText))
                _ = checkpost_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, start)
            }
        }
        text(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = checkpost_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
        _ = checkpost_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        _ = checkpost_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        _ = checkpost_curl_set_pointer(handle, CURLOPT_XFERINFODATA, context)
        _ = checkpost_curl_set_data_callback(handle, CURLOPT_HEADERFUNCTION) { data, size, count, context in
            guard let data, let context else { return 0 }
            let line = String(
                decoding: UnsafeRawBufferPointer(start: data, count: min(size * count, 4096)), as: UTF8.self)
            Unmanaged<CurlTransport>.fromOpaque(context).takeUnretainedValue().take(headerLine: line)
            return size * count
        }
        _ = checkpost_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { data, size, count, context in
            guard let data, let context else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
            return Unmanaged<CurlTransport>.fromOpaque(context).takeUnretainedValue().take(bytes) ? size * count : 0
        }
        number(CURLOPT_NOPROGRESS, 0)
        _ = checkpost_curl_set_progress_callback(handle) { context, _, _, _, _ in
            guard let context else { return 1 }
            return Unmanaged<CurlTransport>.fromOpaque(context).takeUnretainedValue().canceller.isCancelled ? 1 : 0
        }
    }

    private func take(headerLine line: String) {
        if line.hasPrefix("HTTP/") {
            // A new answer: what came before was a 100.
            let words = line.split(separator: " ")
            status = words.count > 1 ? Int(words[1].prefix(3)) ?? 0 : 0
            (retryAfter, date) = (nil, nil)
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
        switch line[..<colon].lowercased() {
        case "retry-after": retryAfter = value
        case "date": date = value
        default: break
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= Self.maximumBodyBytes else {
            isTooLong = true
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    private func reason(_ code: CURLcode) -> String {
        if canceller.isCancelled { return "stopped" }
        if isTooLong { return "the answer is longer than \(Self.maximumBodyBytes) bytes" }
        let said = errorText[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
        return String(said.prefix(300))
    }
}
