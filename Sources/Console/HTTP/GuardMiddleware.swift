import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Storage

/// Stands before every route: who is it, may they write, how often, and what every answer carries.
struct GuardMiddleware: RouterMiddleware {
    typealias Context = ConsoleContext
    let console: Console

    /// Where a form goes before anybody has signed in.
    private static let openPaths: Set<String> = ["/sign-in", "/api/sign-in", "/language", "/theme"]

    func handle(
        _ request: Request, context: ConsoleContext, next: (Request, ConsoleContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let language = request.cookies["checkpost_language"]?.value
        context.texts = Texts.of(language)
        context.isDay = request.cookies["checkpost_theme"]?.value == "day"
        if request.uri.path.hasPrefix("/api/") { context.texts = context.texts.plain }
        var response: Response
        do {
            guard console.requestThrottle.allows(context.address, at: console.now) else {
                throw ConsoleError(.tooManyRequests, "error_too_many", retryAfterSeconds: 60)
            }
            if let token = request.cookies[SessionKeeper.cookieName]?.value {
                context.active = try console.sessions.active(token, isUsed: Self.isUse(request), at: console.now)
            }
            try checkOrigin(request, context)
            response = try await next(request, context)
        } catch {
            guard let known = knownError(error, request) else { throw error }
            response = errorAnswer(known, request, context)
        }
        PageSafety.secure(&response)
        return response
    }

    /// Whether somebody did something, and not a page that keeps itself fresh: that must not keep a session alive for ever.
    private static func isUse(_ request: Request) -> Bool {
        guard request.method == .get || request.method == .head else { return true }
        return !["/fragments/", "/api/", "/live", "/photos/", "/static/", "/sounds/"].contains {
            request.uri.path.hasPrefix($0)
        }
    }

    /// A writing request of another site's page is refused: by its origin, and by the form token, which only our own pages
    /// know.
    private func checkOrigin(_ request: Request, _ context: ConsoleContext) throws {
        guard request.method != .get, request.method != .head else { return }
        guard PageSafety.isOwn(request) else { throw ConsoleError.foreignForm }
        guard !Self.openPaths.contains(request.uri.path) else { return }
        // The post's own screen shows alerts while nobody is signed in.
        if request.uri.path == APIRoutes.shownPath, context.isAtPost { return }
        guard let active = context.active else { throw ConsoleError.signedOut }
        if let name = HTTPField.Name("X-Form-Token"), let token = request.headers[name] {
            guard active.isFormToken(token) else { throw ConsoleError(.forbidden, "error_form") }
        }
        // A form's token stands in its body: the route that reads it checks it.
    }

    private func knownError(_ error: any Error, _ request: Request) -> ConsoleError? {
        switch error {
        case let error as ConsoleError: return error
        case let error as StoreError: return ConsoleError(error)
        case let error as any HTTPResponseError:
            return error.status == .notFound
                ? .notFound
                : ConsoleError(error.status, error.status == .contentTooLarge ? "error_too_large" : "error_input")
        case is CancellationError, is ChannelError: return nil
        default:
            console.log.error("a page failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return ConsoleError(.internalServerError, "error_internal")
        }
    }

    private func errorAnswer(_ error: ConsoleError, _ request: Request, _ context: ConsoleContext) -> Response {
        if error.status.kind == .serverError, let detail = error.detail {
            console.log.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(detail)"])
        }
        var response: Response
        let isPage = request.headers[.accept]?.contains("text/html") == true && !request.uri.path.hasPrefix("/api/")
        if isPage, error == .signedOut, !request.uri.path.hasPrefix("/fragments/") {
            response = .redirect(to: "/sign-in")
        } else if isPage {
            let back = request.method == .get ? "/" : request.comesFrom ?? "/"
            response = console.page(
                "message", context,
                ["message": error.said(context.texts), "backPath": back, "place": back],
                status: error.status)
        } else {
            var answer = ["error": error.text, "message": error.said(context.texts)]
            answer["detail"] = error.detail
            response = json(answer, status: error.status)
        }
        if let seconds = error.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
        if let allowed = error.allowed { response.headers[.allow] = allowed }
        return response
    }
}
