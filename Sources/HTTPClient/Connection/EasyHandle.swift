import CCurl
import Foundation

/// A libcurl easy handle, with its options by the kinds of their values. One thread at a time may use it.
final class EasyHandle {
    // CURL_GLOBAL_ALL. It must happen once, before anything else and on one thread, as the making of a static does.
    private static let isReady = curl_global_init(3) == CURLE_OK
    private static let errorBytes = Int(CURL_ERROR_SIZE)

    private let pointer: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>

    init?() {
        guard Self.isReady, let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        errorText = .allocate(capacity: Self.errorBytes)
        errorText.initialize(repeating: 0, count: Self.errorBytes)
    }

    deinit {
        curl_easy_cleanup(pointer)
        errorText.deallocate()
    }

    /// Forgets every option, and what it was told of an exchange. Connections stay open.
    func reset() {
        curl_easy_reset(pointer)
        errorText[0] = 0
        _ = checkpost_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
    }

    func set(_ option: CURLoption, _ value: Int) { _ = checkpost_curl_set_long(pointer, option, value) }
    func set(_ option: CURLoption, _ value: String) { _ = checkpost_curl_set_text(pointer, option, value) }

    func set(_ option: CURLoption, list: UnsafeMutablePointer<curl_slist>?) {
        _ = checkpost_curl_set_pointer(pointer, option, list)
    }

    /// libcurl makes a copy of the body.
    func set(body: Data) {
        set(CURLOPT_POSTFIELDSIZE, body.count)
        body.withUnsafeBytes { bytes in
            let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? UnsafeRawPointer(errorText))
            _ = checkpost_curl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, start)
        }
    }

    /// Lets a transfer take what comes, and end the exchange. It must live until the exchange is over.
    func set(transfer: HTTPTransfer) {
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        for option in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_XFERINFODATA] {
            _ = checkpost_curl_set_pointer(pointer, option, context)
        }
        _ = checkpost_curl_set_data_callback(pointer, CURLOPT_HEADERFUNCTION) { data, size, count, context in
            guard let data, let context else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
            Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().take(headerLine: bytes)
            return size * count
        }
        _ = checkpost_curl_set_data_callback(pointer, CURLOPT_WRITEFUNCTION) { data, size, count, context in
            guard let data, let context else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
            return Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().take(bytes) ? size * count : 0
        }
        set(CURLOPT_NOPROGRESS, 0)
        // Called once a second at least, while nothing comes too.
        _ = checkpost_curl_set_progress_callback(pointer) { context, _, _, _, _ in
            guard let context else { return 1 }
            return Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
        }
    }

    /// Blocks until the exchange is over.
    func perform() -> CURLcode { curl_easy_perform(pointer) }

    /// How many bytes of heads and bodies the exchange sent.
    ///
    /// libcurl counts a short body, which goes with its head, in both numbers; a long one in that of the bodies alone.
    var bytesSent: Int64 {
        var (heads, bodies): (Int, curl_off_t) = (0, 0)
        _ = checkpost_curl_get_long(pointer, CURLINFO_REQUEST_SIZE, &heads)
        _ = checkpost_curl_get_offset(pointer, CURLINFO_SIZE_UPLOAD_T, &bodies)
        return Int64(heads) >= Int64(bodies) ? Int64(heads) : Int64(heads) + Int64(bodies)
    }

    /// What libcurl says of a code: of this exchange where it says something, in general otherwise.
    func words(for code: CURLcode) -> String {
        errorText[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
    }
}
