import Foundation
import HTTPTypes
import Hummingbird
import ParkAPI

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

    package func body(_ error: APIError) -> [String: JSONValue] {
        let (code, message) = (JSONValue.text(error.code), JSONValue.text(error.message))
        return switch self {
        case .rest:
            [
                "code": code, "message": message, "details": error.details.map(JSONValue.text) ?? .null,
                "hint": error.hint.map(JSONValue.text) ?? .null,
            ]
        case .auth:
            [
                "code": .integer(Int64(error.status.code)), "error_code": code, "msg": message, "error": code,
                "error_description": message,
            ]
        case .storage:
            ["statusCode": .text(String(error.status.code)), "error": code, "message": message]
        case .function:
            ["error": message]
        }
    }

    package func response(_ error: APIError, isHead: Bool) -> Response {
        var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        if let seconds = error.retryAfterSeconds { headers[.retryAfter] = String(seconds) }
        if !error.allowed.isEmpty { headers[.allow] = error.allowed.joined(separator: ", ") }
        if error.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        let data = (try? ParkJSON.data(body(error))) ?? Data()
        return Response(
            status: error.status, headers: headers,
            body: isHead ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }
}
