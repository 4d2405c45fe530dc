import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// One JSON value.
func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let body = (try? encoder.encode(value)) ?? Data("{}".utf8)
    return Response(
        status: status, headers: [.contentType: "application/json; charset=utf-8"],
        body: .init(byteBuffer: ByteBuffer(bytes: body)))
}

extension Console {
    /// A page, or a part of one, with what all of them know.
    func page(
        _ template: String, _ context: ConsoleContext, _ model: [String: Any] = [:], at place: String = "",
        status: HTTPResponse.Status = .ok, state: StatusView? = nil, said: SaidView? = nil
    ) -> Response {
        var model = model
        model["t"] = context.texts.all
        model["language"] = context.texts.language
        model["style"] = PageStyle.text
        model["otherLanguage"] = context.texts.otherLanguage
        model["isDay"] = context.isDay
        model["otherTheme"] = context.isDay ? "night" : "day"
        model["otherThemeText"] = context.texts[context.isDay ? "theme_night" : "theme_day"]
        model["at"] = [place: true]
        // What is said often, to be chosen.
        for name in ["dismiss", "correct", "withdraw"] {
            model["reasons" + name.capitalized] = context.texts["reasons_" + name].split(separator: "|").map {
                String($0)
            }
        }
        model["usualReason"] = context.texts["reasons_correct"].split(separator: "|").first.map { String($0) }
        model["postName"] = post.name
        if let printer {
            model["hasPrinter"] = true
            model["printLanguages"] = [context.texts, Texts.of(context.texts.otherLanguage)].map {
                ["code": $0.language, "text": $0["notice_print"]]
            }
            model.merge(printer.news.model(context.texts, now: now)) { $1 }
        }
        if let active = context.active {
            model["user"] = active.user
            model["formToken"] = active.formToken
            model["isTechnician"] = active.user.role == .technician
            model["status"] = state
            if context.isAtPost, active.user.pinHash != nil {
                model["canLock"] = true
                model["lockMs"] = Int(configuration.lockMinutes * 60_000)
            }
        }
        if context.active != nil || context.isAtPost {
            // The post's own screen tells of an alert whoever is signed in, or nobody.
            model["hasAlerts"] = true
            let isFull = context.active != nil
            if let sounding = try? soundingModel(shown: nil, isFull: isFull, context.texts) {
                model.merge(sounding) { own, _ in own }
            }
        }
        model["said"] = said
        guard let text = Templates.render(template, model) else {
            log.error("a template is missing", metadata: ["name": "\(template)"])
            return Response(status: .internalServerError)
        }
        return html(text, status: status)
    }

    /// The alert that sounds, and how many more there are; nil when none does.
    ///
    /// - Parameters:
    ///   - shown: the one that a browser shows: it stays until it is touched, whatever comes meanwhile.
    ///   - isFull: whether somebody is signed in: without, there are no pictures and nothing to decide.
    func soundingModel(shown: String?, isFull: Bool = true, _ texts: Texts) throws -> [String: Any]? {
        let sounding = try alerts.sounding(at: now)
        guard let one = sounding.first(where: { $0.id == shown }) ?? sounding.first else { return nil }
        let more = sounding.count - 1
        return [
            "alert": alertViews([one], texts, withPictures: isFull)[0],
            "moreText": more > 0 ? texts("alerts_more", ["count": "\(more)"]) : "",
        ]
    }

    func statusView(_ texts: Texts) async throws -> StatusView {
        let (status, figures) = (await host.status(), try store.figures.now())
        return StatusView(
            status, figures: figures, alarms: alarmViews(status, figures, texts),
            alertCount: try alerts.open(at: now).count, texts, now: now)
    }
}
