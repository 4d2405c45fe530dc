import Enforcement
import Foundation
import Pages

extension WatchScreen {
    /// The screen as lines, each at most `width` columns wide, `height` of them.
    func lines(width: Int, height: Int) -> [Line] {
        var lines = Self.wrapped(chips, width: width).prefix(height > 16 ? 3 : 1).map { Line($0, .dim) }
        if let today {
            lines.append(
                Line(
                    say(
                        "today_line",
                        [
                            "passages": texts.digits("\(today.passages)"),
                            "speeding": texts.digits("\(today.speeding)"),
                            "overstay": texts.digits("\(today.overstay)"), "review": texts.digits("\(today.review)"),
                        ]), .dim))
        }
        if let lost { lines.append(Line(say("lost", ["reason": lost]), .loud)) }
        if let alert = shownAlert ?? alerts.first(where: { !$0.isTouched }) {
            let more = alerts.filter { !$0.isTouched }.count - 1
            let title = "*** \(alert.title) ***  \(alert.plate)  \(alert.typeText)"
            lines.append(
                Line(title + (more > 0 ? "  " + say("more_alerts", ["count": "\(more)"]) : ""), .loud))
            lines.append(Line("    " + Self.facts(alert), .loud))
        }
        if !message.isEmpty { lines.append(Line(message, .bright)) }
        lines.append(Line(""))
        let body = self.body
        let help = self.help(width: width, height: height)
        let room = max(1, height - lines.count - help.count)
        // The first line names the list, so the chosen row is one further down.
        let first = max(0, min(row + 1 - room / 2, body.count - room))
        lines += body.dropFirst(first).prefix(room)
        while lines.count < height - help.count { lines.append(Line("")) }
        lines = Array(lines.prefix(max(0, height - help.count)))
        lines += help.map { Line($0, .dim) }
        return lines.map { Line(WatchCells.prefix($0.text, width), $0.style) }
    }

    struct Line: Equatable {
        enum Style { case plain, dim, bright, loud }
        var text: String
        var style: Style

        init(_ text: String, _ style: Style = .plain) {
            // What comes from outside must not move the cursor.
            self.text = String(
                text.map { $0.unicodeScalars.allSatisfy { $0.value >= 32 && !(127...159 ~= $0.value) } ? $0 : "?" })
            self.style = style
        }
    }

    func say(_ name: String, _ values: [String: String] = [:]) -> String { texts(name, values) }

    /// Words side by side in as few lines as the width allows.
    private static func wrapped(_ parts: [String], width: Int) -> [String] {
        parts.reduce(into: []) { lines, part in
            if let last = lines.last, WatchCells.count(last) + WatchCells.count(part) + 3 <= width {
                lines[lines.count - 1] = last + " | " + part
            } else {
                lines.append(part)
            }
        }
    }

    static func facts(_ alert: Alert) -> String {
        ([alert.speed, alert.limit].compactMap(\.self) + [alert.took, alert.lawful, alert.state]).filter {
            !$0.isEmpty
        }.joined(separator: " / ")
    }

    /// What the keys do here: the last line, and on a screen with room for it one above.
    private func help(width: Int, height: Int) -> [String] {
        guard height > 1 else { return [] }
        let counts = [
            "review": texts.digits("\(today?.review ?? reviews.count)"), "alerts": texts.digits("\(alerts.count)"),
            "matches": texts.digits("\(matches.count)"),
        ]
        func words(_ name: String, apart: String = "  ") -> String {
            say(name, counts).split(separator: "|").joined(separator: apart)
        }
        if [.passages, .found].contains(place) {
            let first = height > 16 ? [words("help_list_more")] : []
            return first + [words("help_list", apart: " ")]
        }
        return [words(helpName)]
    }

    private var helpName: String {
        switch place {
        case .passage(let passage): passage.isWithdrawn ? "help_back" : "help_passage"
        case .discarding, .dismissing, .sureOutcome, .rejecting, .accepting: "help_question"
        case .help: "help_any"
        case .reviews: "help_reviews"
        case .recorded: "help_recorded"
        case .alerts: "help_alerts"
        case .overstays: "help_overstays"
        case .matches: "help_matches"
        case .outcomes: "help_outcomes"
        case .queue: isTechnician ? "help_queue" : "help_back"
        case .plate: "help_plate"
        case .outcome: "help_outcome"
        case .notes: "help_notes"
        default: "help_typing"
        }
    }

    /// A list with its chosen row marked.
    func list(_ title: String, _ rows: [(text: String, isBright: Bool)]) -> [Line] {
        [Line(title, .bright)]
            + (rows.isEmpty ? [Line("  " + texts["none"])] : [])
            + rows.enumerated().map { index, row in
                let isChosen = index == selected
                return Line((isChosen ? "> " : "  ") + row.text, isChosen || row.isBright ? .bright : .plain)
            }
    }

    func asked(_ name: String, _ values: [String: String] = [:]) -> [Line] {
        [Line(say(name, values), .bright), Line("> \(typed)_", .bright), Line("")]
    }

    /// What the outcome is called, in the reader's language.
    func outcomeName(_ kind: String) -> String { texts["outcome_" + kind] }
}
