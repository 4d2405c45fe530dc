import Enforcement
import Foundation
import Pages
import Paper

extension Action {
    static let notices: [Action] = [
        Action(
            path: "notices/print",
            help: "Print the notice of a violation on the post's receipt printer. GET /notice?violation= is the PDF.",
            fields: "violation_id, language (optional: en, ne)"
        ) { console, fields, active in
            guard let printer = console.printer else { throw ConsoleError(.conflict, "error_no_printer") }
            let id = try fields.uuid("violation_id")
            let notice = try await console.notice(of: id, by: active.user.fullName)
            let texts = Texts.of(fields["language"])
            let format = console.configuration.printerMm == 80 ? PaperFormat.roll80 : .roll58
            let isInLine = printer.print { try await console.press.receipt(notice, texts, on: format) }
            guard isInLine else { throw ConsoleError(.tooManyRequests, "error_printer_busy", retryAfterSeconds: 30) }
            return Done(next: "/outcome?said=printing&violation=" + id.uuidString.lowercased())
        }
    ]
}
