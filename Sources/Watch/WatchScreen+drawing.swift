import Enforcement
import Foundation

extension WatchScreen {
    /// The screen as lines, each at most `width` wide, `height` of them.
    func lines(width: Int, height: Int) -> [Line] {
        var lines = Self.wrapped(chips, width: width).prefix(height > 16 ? 3 : 1).map { Line($0, .dim) }
        if let today {
            lines.append(
                Line(
                    "Today: \(today.passages) passages, \(today.speeding) speeding, \(today.overstay) overstay, "
                        + "\(today.review) to review", .dim))
        }
        if let lost { lines.append(Line("CONNECTION LOST: \(lost). Trying again.", .loud)) }
        if let alert = shownAlert ?? alerts.first(where: { !$0.isTouched }) {
            let more = alerts.filter { !$0.isTouched }.count - 1
            let title = "*** \(alert.title) ***  \(alert.plate)  \(alert.typeText)"
            lines.append(Line(title + (more > 0 ? "  +\(more) more" : ""), .loud))
            lines.append(Line("    " + Self.facts(alert), .loud))
        }
        if !message.isEmpty { lines.append(Line(message, .bright)) }
        lines.append(Line(""))
        let body = self.body
        let room = max(1, height - lines.count - 1)
        // The first line names the list, so the chosen row is one further down.
        let first = max(0, min(row + 1 - room / 2, body.count - room))
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
                text.map { $0.unicodeScalars.allSatisfy { $0.value >= 32 && !(127...159 ~= $0.value) } ? $0 : "?" })
            self.style = style
        }
    }

    /// Words side by side in as few lines as the width allows.
    private static func wrapped(_ parts: [String], width: Int) -> [String] {
        parts.reduce(into: []) { lines, part in
            if let last = lines.last, last.count + part.count + 3 <= width {
                lines[lines.count - 1] = last + " | " + part
            } else {
                lines.append(part)
            }
        }
    }

    private static func facts(_ alert: Alert) -> String {
        ([alert.speed, alert.limit].compactMap(\.self) + [alert.took, alert.lawful, alert.state]).joined(
            separator: " / ")
    }

    private var help: String {
        switch place {
        case .passages, .found:
            "r record v review \(today?.review ?? reviews.count) a alerts \(alerts.count) o overstays / search Enter l later ? q quit"
        case .passage(let passage): passage.isWithdrawn ? "Esc back" : "c correct  w withdraw  Esc back"
        case .discarding, .dismissing, .sureOutcome: "y yes  any other key no"
        case .help: "any key back"
        case .reviews: "up/down choose  Enter plate  d discard  u undo  Esc back"
        case .recorded: "y it is  t type another plate  Esc back"
        case .alerts: "up/down choose  Enter outcome  l later  Esc back"
        case .overstays: "up/down choose  Enter dismiss  Esc back"
        case .plate: "Enter submit  up/down other readings  Tab type  Esc back"
        case .outcome: "a number records the outcome  Esc back"
        case .notes: "Enter done, also without a note  Esc back"
        default: "Enter done  Esc back"
        }
    }

    private var body: [Line] {
        switch place {
        case .passages: list("LAST PASSAGES", passages.map(Self.row))
        case .found: list("FOUND: \(found.count)", found.map(Self.row))
        case .passage(let passage): Self.details(passage)
        case .reviews:
            list("REVIEW", reviews.map { ("\($0.time)  \($0.plate.isEmpty ? "(no plate)" : $0.plate)", false) })
        case .alerts: list("ALERTS", alerts.map { ("\($0.title)  \($0.plate)  \(Self.facts($0))", !$0.isTouched) })
        case .overstays:
            list(
                "INSIDE TOO LONG",
                overstays.map { ("\($0.plate)  since \($0.entryTime) (\($0.took))  \($0.state)", false) })
                + (selected.flatMap { overstays[$0].waitsFor } ?? []).map { Line("    may have left: \($0)") }
        case .plate(let id):
            asked("PLATE of \(id), Latin or Devanagari:")
                + [Line("Type: " + (chosenType.map(Self.name) ?? "as the plate says, else car")), Line("")]
                + (reviews.first { $0.id == id }?.candidates ?? []).map { Line("  or \($0)") }
        case .outcome(let alert):
            [
                Line("OUTCOME of \(alert.title) \(alert.plate)", .bright), Line(Self.facts(alert)),
                Line("Entry \(alert.entryTime), exit \(alert.exitTime ?? "none")"), Line(""),
            ] + Self.outcomes.map { Line("  \($0.0)  \(Self.words($0.1))") }
        case .recorded(_, let passage):
            [
                Line("\(passage.plate) was recorded at \(passage.time). Is it this vehicle?", .bright), Line(""),
                Line("  y  yes: nothing is doubled"), Line("  t  no, another one: type its plate"),
            ]
        case .fine: asked("FINE in rupees:")
        case .notes(_, let kind, _): asked("NOTES to \"\(Self.words(kind))\", if there are any:")
        case .discarding(let review):
            [
                Line(
                    "DISCARD \(review.plate.isEmpty ? "the vehicle without a plate" : review.plate), \(review.time)?",
                    .bright)
            ]
        case .dismissing(let overstay, let reason): [Line("CLOSE the alert of \(overstay.plate): \(reason)?", .bright)]
        case .sureOutcome(_, let kind, let fine, _):
            [Line("RECORD \(Self.words(kind))\(fine.isEmpty ? "" : " \(fine)") in its place?", .bright)]
        case .help: Self.keys.map { Line($0) }
        case .reason(let overstay): asked("Why is the alert of \(overstay.plate) closed?")
        case .correction(let passage): asked("The right plate of \(passage.plate):")
        case .correctionReason(let passage, let plate): asked("Why does \(passage.plate) become \(plate)?")
        case .withdrawal(let passage): asked("Why was \(passage.plate) no passage?")
        case .search: asked("PART OF A PLATE (look-alikes too):")
        }
    }

    private func asked(_ question: String) -> [Line] {
        [Line(question, .bright), Line("> \(typed)_", .bright), Line("")]
    }

    /// A list with its chosen row marked.
    private func list(_ title: String, _ rows: [(text: String, isBright: Bool)]) -> [Line] {
        [Line(title, .bright)]
            + (rows.isEmpty ? [Line("  none")] : [])
            + rows.enumerated().map { index, row in
                let isChosen = index == selected
                return Line((isChosen ? "> " : "  ") + row.text, isChosen || row.isBright ? .bright : .plain)
            }
    }

    private static func row(_ passage: Passage) -> (text: String, isBright: Bool) {
        let plate = passage.plate.padding(toLength: max(18, passage.plate.count), withPad: " ", startingAt: 0)
        let mark = passage.violationText ?? (passage.isWithdrawn ? "withdrawn" : "")
        return ("\(passage.day) \(passage.time)  \(plate) \(passage.typeText)  \(mark)", passage.violationText != nil)
    }

    private static func details(_ passage: Passage) -> [Line] {
        var marks = [passage.violationText?.uppercased(), passage.isMatched ? "seen at the other post" : nil]
        marks += [passage.isCorrected ? "corrected" : nil, passage.isWithdrawn ? "withdrawn" : nil]
        return [
            Line("PASSAGE \(passage.plate)", .bright), Line("  \(passage.typeText), \(passage.day) \(passage.time)"),
            Line("  recorded by \(passage.originText), sure: \(passage.sureText), clock: \(passage.clockText)"),
            Line("  server: \(passage.syncText)"), Line("  " + marks.compactMap(\.self).joined(separator: ", ")),
        ]
    }

    private static let keys = [
        "KEYS", "  r         keep the vehicle in front of the camera, and type its plate",
        "  v         what waits for review: Enter types the plate, d discards",
        "  u         take the last discard back",
        "  a         alerts: Enter records the outcome, l puts the alert off",
        "  o         vehicles inside too long: Enter closes the alert, with a reason",
        "  /         search by part of a plate", "  Enter     a passage in full: c corrects, w withdraws",
        "  l         put off the alert that sounds", "  j k       down and up, as the arrows do",
        "  Esc       back", "  q         sign out and end",
    ]

    private static func words(_ name: String) -> String { name.replacing("_", with: " ") }
    private static func name(_ type: VehicleType) -> String { words(type.rawValue) }
}
