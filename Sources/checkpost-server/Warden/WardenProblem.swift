import HTTPTypes
import Hummingbird
import Pages

/// What a browser is shown where a program would get an error as JSON.
package struct WardenProblem: Sendable {
    let sessions: WardenSessions

    package init(_ settings: Settings) {
        sessions = WardenSessions(settings)
    }

    /// Parts that a page fetches by itself, and pictures: a redirect would put the sign-in page into the middle of another.
    private static let parts = ["/fragments/", "/photos/", "/static/", "/events"].map { Warden.root + $0 }

    package func answer(_ error: APIError, _ request: Request) -> Response {
        let path = request.uri.path
        let isPart = Self.parts.contains { path.hasPrefix($0) }
        if error.status == .unauthorized, !isPart {
            var way = Warden.root + "/sign-in"
            if request.method == .get, path != Warden.root { way += "?next=" + request.uri.string.escapedForQuery }
            var answer = Response.redirect(to: way)
            // One that is no good any more isn't kept.
            if request.cookies[WardenSessions.cookieName] != nil { answer.headers[.setCookie] = sessions.ended }
            return answer
        }
        let texts = Warden.texts(request)
        let back = request.method == .get ? Warden.root : request.comesFrom ?? Warden.root
        let page = try? Warden.page(
            "message", texts, ["message": Self.said(error, texts), "backPath": back], status: error.status)
        var answer = page ?? Response(status: error.status)
        if let seconds = error.retryAfterSeconds { answer.headers[.retryAfter] = String(seconds) }
        if !error.allowed.isEmpty { answer.headers[.allow] = error.allowed.joined(separator: ", ") }
        if request.method == .head { answer.body = ResponseBody() }
        return answer
    }

    /// What is said of an error: its own text where there is one by its name, else one for its status. What a rule in SQL says of a form
    /// stands behind it as it is.
    static func said(_ error: APIError, _ texts: Texts) -> String {
        for name in [error.details, error.code].compactMap(\.self) where texts.all[name] != nil { return texts[name] }
        switch error.status.code {
        case 401: return texts["sign_in"]
        case 403: return texts["error_forbidden"]
        case 404: return texts["error_not_found"]
        case 405: return texts["error_method"]
        case 413: return texts["error_too_large"]
        case 429: return texts["error_too_many"]
        case 503: return texts["error_busy"]
        case 400, 409, 422: return texts["error_input"] + (error.code.hasPrefix("PT") ? " " + error.message : "")
        default: return texts["error_internal"]
        }
    }
}
