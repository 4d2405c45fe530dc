import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Notices
import Pages
import Paper

/// Notices as files.
struct NoticeRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        router.get("/notice") { request, context in
            let active = try context.user()
            guard let id = request.formQuery.get("violation").flatMap(UUID.init(uuidString:)) else {
                throw ConsoleError.notFound
            }
            let notice = try await console.notice(of: id, by: active.user.fullName)
            var answer: Response
            do {
                answer = bytes(try await console.press.pdf(notice, context.texts), "application/pdf")
            } catch let error as PaperError {
                console.log.error("a notice can't be written", metadata: ["error": "\(error)"])
                throw ConsoleError(.internalServerError, "error_paper", detail: "\(error)")
            }
            // Kept as a file: a browser that showed it would leave the console, and a kiosk has no way back.
            answer.headers[.contentDisposition] = "attachment; filename=\"\(notice.fileName)\""
            answer.headers[.cacheControl] = "no-store"
            return answer
        }
    }
}
