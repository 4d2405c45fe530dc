import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ParkAPI

/// The lines that the log has of people: who was refused, and who changed what.
///
/// Text from outside is escaped, quoted and bounded, and no line says a secret. A flood of refusals doesn't flood the log: beyond
/// one a second of an address, and ten of all, they are counted, and the next line says how many were left out.
package final class Journal: @unchecked Sendable {
    private let log: Logger
    /// Of one address, so that who floods is not heard at the cost of the others; and of all together.
    private let addressLimiter = RateLimiter(capacity: 50, perSecond: 1)
    private let limiter = RateLimiter(capacity: 300, perSecond: 10)
    private let lock = NSLock()
    private var leftOut = 0

    package init(_ log: Logger) {
        self.log = log
    }

    /// A sign-in that was refused. The e-mail is what was typed; a password is never logged.
    package func refusedSignIn(_ email: String, because reason: String, address: String) {
        write(
            .warning, "sign-in refused", of: address,
            ["email": LogText.of(email, limit: 254), "reason": LogText.of(reason), "address": LogText.of(address)])
    }

    /// A connection that was turned away before there was a request to speak of.
    package func refusedConnection(_ status: Int, because reason: String, address: String) {
        write(
            .info, "turned away", of: address,
            ["status": String(status), "reason": LogText.of(reason), "address": LogText.of(address)])
    }

    /// A request that was turned away. A 401 or 403 is about rights; what is too large, too much or too busy is told too, since a box
    /// behind it goes on asking. Other mistakes of a client are the client's to log, but a page has nobody who would.
    package func refused(_ error: APIError, _ request: Request, _ share: RequestShare) {
        let isDenial = error.status == .forbidden || error.status == .unauthorized
        let isLimit = [413, 414, 429, 431, 503].contains(error.status.code)
        let isPage = error.status == .badRequest && request.method == .get && Warden.serves(request.uri.path)
        guard isDenial || isLimit || isPage else { return }
        var metadata = [
            "status": String(error.status.code), "code": LogText.of(error.code, limit: 40),
            "reason": LogText.of(error.message), "method": LogText.of(request.method.rawValue, limit: 20),
            "path": LogText.of(request.uri.path), "address": LogText.of(share.address), "request": share.id,
        ]
        if let caller = share.caller { metadata["who"] = Self.name(of: caller) }
        let level: Logger.Level = error.status == .forbidden ? .warning : .info
        write(level, isDenial ? "denied" : "turned away", of: share.address, metadata)
    }

    /// A change that somebody made: `what` is ours, such as `update parks`; `rows` are ids, a few of them at most.
    package func changed(_ what: String, rows: [String], count: Int? = nil, by caller: Caller) {
        var metadata = ["what": LogText.of(what), "who": Self.name(of: caller)]
        metadata["rows"] = LogText.of(rows.prefix(5).joined(separator: " "), limit: 250)
        metadata["count"] = String(count ?? rows.count)
        metadata["request"] = RequestShare.current?.id
        log.notice("changed", metadata: metadata.mapValues(Self.value))
    }

    /// In quotation marks where it could be taken for more than one value.
    private static func value(_ text: String) -> Logger.MetadataValue {
        guard text.contains(where: { " =\"".contains($0) }) else { return .string(text) }
        return .string("\"\(text.replacing("\"", with: "\\\""))\"")
    }

    /// The account's address and id, or the role of somebody without an account.
    private static func name(of caller: Caller) -> String {
        guard let user = caller.user else { return caller.role.rawValue }
        let claims = try? JSONValue(Data(caller.claims.utf8))
        let email = (claims?["email"]?.string).map { LogText.of($0, limit: 254) + " " } ?? ""
        return email + user.uuidString.lowercased()
    }

    private func write(
        _ level: Logger.Level, _ message: Logger.Message, of address: String, _ metadata: [String: String]
    ) {
        guard addressLimiter.secondsToWait(address) == nil, limiter.secondsToWait("") == nil else {
            lock.withLock { leftOut += 1 }
            return
        }
        var metadata = metadata.mapValues(Self.value)
        let missing = lock.withLock {
            defer { leftOut = 0 }
            return leftOut
        }
        if missing > 0 { metadata["left_out"] = .stringConvertible(missing) }
        log.log(level: level, message, metadata: metadata)
    }
}
