import Foundation

extension WatchScreen {
    /// The screen as lines, each at most `width` wide, `height` of them.
    func lines(width: Int, height: Int) -> [Line] {
        var lines: [Line] = []
        lines.append(Line(chips.joined(separator: " | "), .dim))
        if let lost { lines.append(Line("CONNECTION LOST: \(lost). Trying again.", .loud)) }
        for alert in alerts.filter({ !$0.isTouched }).prefix(2) {
            lines.append(Line("*** \(alert.title) ***  \(alert.plate)  \(alert.typeText)", .loud))
            lines.append(Line("    " + Self.facts(alert), .loud))
        }
        if !message.isEmpty { lines.append(Line(message, .bright)) }
        lines.append(Line(""))
        let body = self.body
        let room = max(1, height - lines.count - 1)
        let first = max(0, min(selected - room / 2, body.count - room))
        lines += body.dropFirst(first).prefix(room)
        while lines.count < height - 1 { lines.append(Line("")) }
        lines = Array(lines.prefix(max(0, height - 1)))
        lines.append(Line(help, .dim))
        return lines.map { Line(String($0.text.prefix(width)), $0.style) }
    }

    struct Line: Equatable {
        enum Style { case plain, dim, bright, loud }
        var text: String
        var style: Style

        init(_ text: String, _ style: Style = .plain) {
            // What comes from outside must not move the cursor.
            self.text = String(
                text.map { $0.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } ? $0 : "?" })
            self.style = style
        }
    }

    private static func facts(_ alert: Alert) -> String {
        ([alert.speed, alert.limit].compactMap(\.self) + [alert.took, alert.lawful, alert.state]).joined(
            separator: " / ")
    }

    private var help: String {
        switch place {
        case .passages, .found:
            "r record  v review (\(reviews.count))  a alerts (\(alerts.count))  / search  l later  q quit"
        case .reviews: "up/down choose  Enter plate  d discard  Esc back"
        case .alerts: "up/down choose  Enter outcome  l later  Esc back"
        case .outcome: "a number records the outcome  Esc back"
        default: "Enter done  Esc back"
        }
    }

    private var body: [Line] {
        switch place {
        case .passages: [Line("LAST PASSAGES", .bright)] + Self.rows(passages)
        case .found: [Line("FOUND: \(found.count)", .bright)] + Self.rows(found)
        case .reviews:
            [Line("REVIEW", .bright)]
                + reviews.enumerated().map { index, review in
                    Line(
                        "\(index == selected ? ">" : " ") \(review.time)  \(review.plate.isEmpty ? "(no plate)" : review.plate)",
                        index == selected ? .bright : .plain)
                }
        case .alerts:
            [Line("ALERTS", .bright)]
                + alerts.enumerated().map { index, alert in
                    Line(
                        "\(index == selected ? ">" : " ") \(alert.title)  \(alert.plate)  \(Self.facts(alert))",
                        index == selected ? .bright : .plain)
                }
        case .plate(let id):
            [Line("PLATE of \(id), Latin or Devanagari:", .bright), Line("> \(typed)_", .bright), Line("")]
                + (reviews.first { $0.id == id }?.candidates ?? []).map { Line("  or \($0)") }
        case .outcome(let alert):
            [Line("OUTCOME of \(alert.title) \(alert.plate)", .bright), Line(Self.facts(alert)), Line("")]
                + Self.outcomes.map { Line("  \($0.0)  \($0.1.replacingOccurrences(of: "_", with: " "))") }
        case .fine: [Line("FINE in rupees:", .bright), Line("> \(typed)_", .bright)]
        case .reason: [Line("Why is the alert closed?", .bright), Line("> \(typed)_", .bright)]
        case .search: [Line("PART OF A PLATE:", .bright), Line("> \(typed)_", .bright)]
        }
    }

    private static func rows(_ passages: [Passage]) -> [Line] {
        passages.isEmpty
            ? [Line("  none")]
            : passages.map { passage in
                let plate = passage.plate.padding(toLength: max(18, passage.plate.count), withPad: " ", startingAt: 0)
                return Line(
                    "  \(passage.day) \(passage.time)  \(plate) \(passage.typeText)  \(passage.violationText ?? "")",
                    passage.violationText == nil ? .plain : .bright)
            }
    }
}
