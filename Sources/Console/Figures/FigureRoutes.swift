import Enforcement
import Foundation
import Hummingbird
import Pages
import Storage

/// Plots of a day, a week or a month at this post, with the same figures as a table.
struct FigureRoutes: Sendable {
    let console: Console

    func add(to router: Router<ConsoleContext>) {
        router.get("/figures") { request, context in
            _ = try context.user()
            let days = request.formQuery.get("days").flatMap { Int($0) }
            let length = days.flatMap(FigureSpan.Length.init(rawValue:)) ?? .day
            return console.page(
                "figures", context, try await model(FigureSpan(length, until: console.now), context.texts),
                at: "history", state: try await console.statusView(context.texts))
        }
    }

    private func model(_ span: FigureSpan, _ texts: Texts) async throws -> [String: Any] {
        let segment = try await console.host.segment()
        let status = await console.host.status()
        let hasModem = status.hasModem
        let figures = try console.store.figures.plots(span, distanceKm: segment?.distanceKm)
        let view = FigureView(figures, span, segment, hasModem: hasModem, texts)
        return [
            "charts": view.charts, "rows": view.rows, "hasSignal": hasModem,
            "hasTrigger": status.hasTrigger,
            "spans": FigureSpan.Length.allCases.map {
                Choice(
                    value: "\($0.rawValue)", text: texts("last_days", ["count": "\($0.rawValue)"]),
                    isChosen: $0 == span.length)
            },
        ]
    }
}

/// The figures of a span as drawings and as rows of a table.
struct FigureView {
    private let figures: PostFigures
    private let span: FigureSpan
    private let segment: Segment?
    private let hasModem: Bool
    private let texts: Texts

    init(_ figures: PostFigures, _ span: FigureSpan, _ segment: Segment?, hasModem: Bool, _ texts: Texts) {
        self.figures = figures
        self.span = span
        self.segment = segment
        self.hasModem = hasModem
        self.texts = texts
    }

    var charts: [BarChart] {
        var charts = [
            chart("chart_slot_\(span.length.rawValue)") { $0.vehicles },
            BarChart(
                texts["chart_read"],
                figures.slots.map {
                    let reviewed = $0.reviewedShare ?? 0
                    return .init(label: label($0), value: ($0.readShare ?? 0) + reviewed, upper: reviewed)
                }, texts, unit: " %"),
            chart("chart_confidence", unit: " %") { $0.confidence.map { Int(($0 * 100).rounded()) } ?? 0 },
        ]
        if let segment { charts.insert(speeds(segment), at: 2) }
        if span.length != .day {
            charts.insert(
                BarChart(
                    texts["chart_hours"],
                    figures.hours.enumerated().map { .init(label: texts.digits("\($0.offset):00"), value: $0.element) },
                    texts), at: 1)
        }
        charts.append(chart("chart_queue", unit: " " + texts["unit_min"]) { Int($0.queueAge?.minutes ?? 0) })
        if hasModem { charts.append(chart("chart_signal") { Int(($0.signal ?? 0).rounded()) }) }
        charts.append(chart("chart_disk", unit: " GB") { ($0.freeBytes ?? 0) / 1_000_000_000 })
        return charts
    }

    private func chart(_ name: String, unit: String = "", _ value: (PostFigures.Slot) -> Int) -> BarChart {
        BarChart(
            texts[name], figures.slots.map { .init(label: label($0), value: value($0)) }, texts, unit: unit)
    }

    /// The road's limit is within what is drawn, and what is faster has another colour.
    private func speeds(_ segment: Segment) -> BarChart {
        let step = PostFigures.speedStep
        let limit = segment.maxSpeedKmh
        let lowest = min(figures.speeds.keys.min() ?? 0, Int(limit) / step * step)
        let highest = max(figures.speeds.keys.max() ?? 0, Int(limit) / step * step)
        let bars = stride(from: lowest, through: highest, by: step).map { speed in
            let count = figures.speeds[speed] ?? 0
            return BarChart.Bar(
                label: texts.digits("\(speed)") + " " + texts["kmh"], value: count,
                upper: Double(speed) >= limit ? count : 0)
        }
        let text = texts["limit"] + " " + texts.digits(AlertView.number(limit)) + " " + texts["kmh"]
        return BarChart(
            texts["chart_road_speeds"], bars, texts,
            mark: .init(bars: (limit - Double(lowest)) / Double(step), label: text))
    }

    /// When a slot begins.
    private func label(_ slot: PostFigures.Slot) -> String {
        switch span.length {
        case .day: texts.minute(slot.start)
        case .week: texts.plain.day(slot.start) + " " + texts.minute(slot.start)
        case .month: texts.plain.day(slot.start)
        }
    }

    /// The newest first. A dash stands where nothing is known.
    var rows: [[String: String]] {
        figures.slots.reversed().map { slot in
            func text(_ value: Int?, _ unit: String = "") -> String {
                value.map { texts.digits("\($0)") + unit } ?? "–"
            }
            return [
                "label": span.length == .day
                    ? texts.minute(slot.start)
                    : texts.day(slot.start)
                        + (span.length == .week ? " " + texts.minute(slot.start) : ""),
                "vehicles": text(slot.vehicles), "read": text(slot.readShare, " %"),
                "reviewed": text(slot.reviewedShare, " %"), "unplated": text(slot.withoutPlate),
                "confidence": text(slot.confidence.map { Int(($0 * 100).rounded()) }, " %"),
                "queue": slot.queueAge.map { texts.span($0) } ?? "–",
                "signal": text(slot.signal.map { Int($0.rounded()) }),
                "free": text(slot.freeBytes.map { $0 / 1_000_000_000 }, " GB"),
            ]
        }
    }
}
