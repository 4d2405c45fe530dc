import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// Charts of a week, a month or a year, with the same figures as a table and as a file.
struct FigureRoutes: Sendable {
    let warden: Warden

    private static let spans = [7, 30, 365]

    func add(to router: Router<GatewayContext>) {
        router.on("/warden/figures", method: .get) { request, _ in try await page(request) }
        router.on("/warden/figures.csv", method: .get) { request, _ in
            let (visit, found) = try await figures(request)
            var answer = html(found.sums.csv)
            answer.headers[.contentType] = "text/csv; charset=utf-8"
            answer.headers[.contentDisposition] =
                "attachment; filename=\"checkpost-\(found.count)-days-\(NepalTime.day(visit.now)).csv\""
            return answer
        }
    }

    private struct Found: Sendable {
        var sums: FigureSums
        var posts: [PostChoice]
        var post: String?
        var count: Int
    }

    private func figures(_ request: Request) async throws -> (WardenVisit, Found) {
        let query = request.formQuery
        let wanted = query.get("days").flatMap { Int($0) } ?? 30
        let count = Self.spans.contains(wanted) ? wanted : 30
        let post = query.get("post").flatMap { UUID(uuidString: $0)?.uuidString.lowercased() }
        let days = FigureSums.names(count, until: Warden.now)
        let since = days.first.flatMap(NepalTime.start(ofDay:)) ?? Warden.now
        return try await warden.read(request) { connection, visit in
            let segment = visit.person.segment
            return Found(
                sums: FigureSums(
                    try PassageHour.found(connection, since: since, post: post, segment: segment),
                    try ViolationDay.found(connection, since: since, post: post, segment: segment), days: days),
                posts: try PostChoice.all(connection), post: post, count: count)
        }
    }

    private func page(_ request: Request) async throws -> Response {
        let (visit, found) = try await figures(request)
        let (texts, sums) = (visit.texts, found.sums)
        func day(_ name: String) -> String { NepalTime.start(ofDay: name).map { texts.day($0) } ?? name }
        func share(_ day: FigureSums.Day) -> String { day.share.map { texts.digits("\($0) %") } ?? "–" }
        func row(_ name: String, _ day: FigureSums.Day) -> [String: String] {
            [
                "day": name, "passages": texts.digits("\(day.passages)"), "speeding": texts.digits("\(day.speeding)"),
                "overstay": texts.digits("\(day.overstay)"), "share": share(day),
            ]
        }
        let weekdays = texts["weekdays"].split(separator: "|").map { String($0) }
        let speeds = sums.speeds.keys.min().map { lowest in
            stride(from: lowest, through: sums.speeds.keys.max() ?? lowest, by: 5).map {
                BarChart.Bar(label: texts.digits("\($0)") + " " + texts["kmh"], value: sums.speeds[$0] ?? 0)
            }
        }
        var model: [String: Any] = [
            "charts": [
                BarChart(
                    texts["chart_vehicles"], sums.days.map { .init(label: day($0.day), value: $0.passages) }, texts),
                BarChart(
                    texts["chart_violations"],
                    sums.days.map {
                        .init(label: day($0.day), value: $0.speeding + $0.overstay, upper: $0.overstay)
                    }, texts),
                BarChart(
                    texts["chart_share"], sums.days.map { .init(label: day($0.day), value: $0.share ?? 0) }, texts),
                BarChart(
                    texts["chart_hours"],
                    sums.hours.enumerated().map { .init(label: texts.digits("\($0.offset):00"), value: $0.element) },
                    texts),
                BarChart(
                    texts["chart_weekdays"],
                    zip(weekdays, sums.weekdays).map { .init(label: $0, value: $1) }, texts),
                BarChart(texts["chart_speeds"], speeds ?? [], texts),
            ],
            "total": row(texts["total"], sums.total),
            "rows": sums.days.reversed().map { row(day($0.day), $0) },
            "posts": PostChoice.options(found.posts, chosen: found.post),
            "spans": Self.spans.map {
                Choice(value: "\($0)", text: texts("last_days", ["count": "\($0)"]), isChosen: $0 == found.count)
            },
        ]
        model["csvPath"] = "/warden/figures.csv?days=\(found.count)" + (found.post.map { "&post=" + $0 } ?? "")
        return try warden.show("figures", request, visit, model, at: "figures")
    }
}
