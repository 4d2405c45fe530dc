import Foundation
import HTTPTypes
import Hummingbird

/// The JSON in which a part of the API reports errors, as clients of Supabase read it.
package enum ErrorShape {
    case rest, auth, storage, function

    package init(path: String) {
        if path.hasPrefix("/auth/") {
            self = .auth
        } else if path.hasPrefix("/storage/") {
            self = .storage
        } else if path.hasPrefix("/functions/") {
            self = .function
        } else {
            self = .rest
        }
    }

    package func body(_ error: APIError) -> [String: Any] {
        let none = NSNull()
        return switch self {
        case .rest:
            [
                "code": error.code, "message": error.message, "details": error.details ?? none,
                "hint": error.hint ?? none,
            ]
        case .auth:
            [
                "code": error.status.code, "error_code": error.code, "msg": error.message, "error": error.code,
                "error_description": error.message,
            ]
        case .storage:
            ["statusCode": String(error.status.code), "error": error.code, "message": error.message]
        case .function:
            ["error": error.message]
        }
    }

    package func response(_ error: APIError, isHead: Bool) -> Response {
        var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        if let seconds = error.retryAfterSeconds { headers[.retryAfter] = String(seconds) }
        if !error.allowed.isEmpty { headers[.allow] = error.allowed.joined(separator: ", ") }
        if error.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        let data = (try? JSONSerialization.data(withJSONObject: body(error), options: [.sortedKeys])) ?? Data()
        return Response(
            status: error.status, headers: headers,
            body: isHead ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }
}
