import HTTPClient

/// The storage can't be asked, or doesn't do what it is asked: what was wanted may be there.
package struct S3Outage: Error, Sendable, Equatable, CustomStringConvertible {
    /// In words, for the log and whoever runs a command.
    package var description: String
    /// Whether asking once more, a moment later, may help.
    var passes = false
    /// Whether the storage as a whole didn't answer, and not only refuses something.
    var isOfAll = false

    init(_ description: String, passes: Bool = false, isOfAll: Bool = false) {
        (self.description, self.passes, self.isOfAll) = (description, passes, isOfAll)
    }

    /// What the storage answered instead.
    init(status: Int, _ answer: S3Answer, bucket: String) {
        let code = answer.first("Code")?.prefix(60).filter { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? ""
        let said = "it answered \(status)\(code.isEmpty ? "" : " \(code)")"
        let advice =
            switch code {
            case "NoSuchBucket": ": there is no bucket \(bucket)"
            case "InvalidAccessKeyId": ": it doesn't know access_key"
            case "SignatureDoesNotMatch": ": the secret key or the region is another one"
            case "RequestTimeTooSkewed": ": the clock of this machine or of the storage is wrong"
            case "AccessDenied": ": the key may not do this in the bucket \(bucket)"
            default: ""
            }
        // 507 says that there is no room for what is to be stored; what is there is answered.
        self.init(
            said + advice, passes: [429, 500, 502, 503, 504].contains(status),
            isOfAll: status == 429 || (status >= 500 && status != 507))
    }

    init(_ failure: HTTPFailure) {
        // A limit of time was waited for already; whoever answers nothing answers nothing a moment later.
        self.init(
            failure.cause, passes: failure.kind == .noConnection || failure.kind == .other,
            isOfAll: failure.kind != .tooLong && failure.kind != .cancelled)
    }
}
