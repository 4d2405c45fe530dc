import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Ranger
import Storage

/// What was recorded, here and at the other post as far as it is known: list, search, detail and export.
struct HistoryRoutes: Sendable {
    let console: Console

    static let pageSize = 60

    func add(to router: Router<ConsoleContext>) {
        router.get("/history") { request, context in try await history(request, context) }
        router.get("/fragments/history") { request, context in try rows(request, context) }
        router.get("/history.csv") { request, context in try export(request, context) }
        router.get("/passage") { request, context in try await passage(request, context) }
    }

    /// What the query of a request asks for; what makes no sense is left out.
    static func filter(_ request: Request) -> PassageFilter {
        let query = request.formQuery
        func whether(_ name: String) -> Bool? {
            switch query.get(name) {
            case "yes": true
            case "no": false
            default: nil
            }
        }
        return PassageFilter(
            from: query.get("from").flatMap(NepalTime.start),
            until: query.get("to").flatMap(NepalTime.start).map { $0 + .hours(24) },
            platePart: query.get("plate").flatMap { PlatePart.typed($0) },
            includesLookAlikes: query.get("alike") == "1",
            vehicleType: query.get("type").flatMap(VehicleType.init(rawValue:)), isMatched: whether("matched"),
            hasViolation: whether("violation"))
    }

    /// Whose passages a request asks for.
    static func posts(_ request: Request, else usual: RoadPosts) -> RoadPosts {
        request.formQuery.get("post").flatMap { RoadPosts(rawValue: String($0)) } ?? usual
    }

    private func model(_ request: Request, _ texts: Texts) throws -> [String: Any] {
        let query = request.formQuery
        let offset = query.get("offset").flatMap { Int($0) }.map { min(max(0, $0), 1_000_000) } ?? 0
        let found = try console.store.passages.road(
            Self.filter(request), of: Self.posts(request, else: .both), limit: Self.pageSize + 1, offset: offset)
        var model: [String: Any] = ["rows": found.prefix(Self.pageSize).map { PassageView($0, texts) }]
        if found.count > Self.pageSize {
            let next = parameters(request) + "&offset=\(offset + Self.pageSize)"
            model["morePath"] = "/history?" + next
            model["moreFragment"] = "/fragments/history?" + next
        }
        return model
    }

    /// The query of this search without its place in the list.
    private func parameters(_ request: Request) -> String {
        ["plate", "from", "to", "post", "type", "matched", "violation", "alike"].compactMap { name in
            request.formQuery.get(name).map { "\(name)=\($0.escapedForQuery)" }
        }.joined(separator: "&")
    }

    private func history(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        let query = request.formQuery
        let filter = Self.filter(request)
        var model = try model(request, context.texts)
        model["filter"] =
            [
                "plate": query.get("plate").map { String($0.prefix(40)) } ?? "", "from": query.get("from") ?? "",
                "to": query.get("to") ?? "", "alike": filter.includesLookAlikes,
            ] as [String: Any]
        let posts = Self.posts(request, else: .both)
        let names: [RoadPosts: String] = [
            .both: context.texts["any"], .own: console.post.code, .other: console.otherPost,
        ]
        model["postChoices"] = RoadPosts.allCases.map {
            Choice(value: $0.rawValue, text: names[$0] ?? "", isChosen: $0 == posts)
        }
        model["types"] = Choice.types(filter.vehicleType, context.texts)
        model["matchedChoices"] = Choice.whether(filter.isMatched, context.texts)
        model["violationChoices"] = Choice.whether(filter.hasViolation, context.texts)
        model["csvPath"] = "/history.csv?" + parameters(request)
        return console.page(
            "history", context, model, at: "history", state: try await console.statusView(context.texts),
            said: SaidView(request, console, context.texts))
    }

    private func rows(_ request: Request, _ context: ConsoleContext) throws -> Response {
        _ = try context.user()
        return console.page("history-rows", context, try model(request, context.texts))
    }

    /// A file for spreadsheets, the oldest passage first. It is written as it is read, so that a year needs no memory.
    private func export(_ request: Request, _ context: ConsoleContext) throws -> Response {
        _ = try context.user()
        let filter = Self.filter(request)
        let posts = Self.posts(request, else: .both)
        let store = console.store
        let header =
            "client_id,recorded_at,time_nepal,checkpost,plate,vehicle_type,confidence,origin,matched,violation,"
            + "corrected,withdrawn,sync_state,acted_by,speed_kmh,outcome,fine\r\n"
        var headers: HTTPFields = [.contentType: "text/csv; charset=utf-8"]
        headers[.contentDisposition] = "attachment; filename=\"passages-\(NepalTime.day(console.now)).csv\""
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: header))
                var mark: RoadMark?
                repeat {
                    let (passages, next) = try store.passages.roadPage(filter, of: posts, after: mark)
                    var page = ByteBuffer()
                    for passage in passages {
                        page.writeString(
                            try Self.line(passage) { try store.violations.violation(id: $0.id)?.outcome })
                    }
                    try await writer.write(page)
                    mark = next
                } while mark != nil
                try await writer.finish(nil)
            })
    }

    /// - Parameter outcome: gives what was done about a violation.
    private static func line(_ passage: RoadPassage, _ outcome: (Violation) throws -> Outcome?) throws -> String {
        let cells: [String]
        let violation: Violation?
        switch passage {
        case .own(let stored):
            let passage = stored.passage
            violation = stored.violation
            cells = [
                passage.clientID.uuidString.lowercased(), passage.recordedAt.iso8601, passage.recordedAt.nepalText,
                passage.checkpostCode, passage.plate.canonical, passage.vehicleType.rawValue,
                passage.confidence.map { String(format: "%.3f", $0) } ?? "", passage.origin.rawValue,
                stored.isMatched ? "yes" : "no", stored.violation?.kind.rawValue ?? "",
                stored.isCorrected ? "yes" : "no", stored.withdrawnAt == nil ? "no" : "yes",
                stored.queueStatus?.rawValue ?? "", passage.actedBy ?? "",
            ]
        case .other(let other):
            let passage = other.passage
            violation = other.violation
            // What only the other post knows stays empty.
            cells = [
                passage.clientID.uuidString.lowercased(), passage.recordedAt.iso8601, passage.recordedAt.nepalText,
                passage.checkpostCode, passage.plate.canonical, passage.vehicleType.rawValue, "", "",
                other.isMatched ? "yes" : "no", other.violation?.kind.rawValue ?? "", "",
                other.withdrawnAt == nil ? "no" : "yes", "", "",
            ]
        }
        let found = try violation.flatMap(outcome)
        let judged = [
            violation?.calculatedSpeedKmh.map(AlertView.number) ?? "", found?.kind.rawValue ?? "",
            found?.fineAmount.map(Outcome.sum) ?? "",
        ]
        return (cells + judged).map(cell).joined(separator: ",") + "\r\n"
    }

    /// Quoted where needed. A spreadsheet would run what begins like a formula; a quote before it makes it text.
    static func cell(_ text: String) -> String {
        let safe = text.first.map { "=+-@\t\r".contains($0) } == true ? "'" + text : text
        guard safe.contains(where: { ",\"\r\n".contains($0) }) else { return safe }
        return "\"" + safe.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
