import Enforcement
import Pages

/// What stands between the first lines and the keys.
extension WatchScreen {
    var body: [Line] {
        switch place {
        case .passages: list(texts["list_passages"], passages.map(row))
        case .found: list(say("list_found", ["count": texts.digits("\(found.count)")]), found.map(row))
        case .passage(let passage): details(passage)
        case .reviews:
            list(texts["list_reviews"], reviews.map { ("\($0.time)  \(plate(of: $0))", false) })
        case .alerts:
            list(
                texts["list_alerts"],
                alerts.map { ("\($0.title)  \($0.plate)  \(Self.facts($0))", !$0.isTouched) })
        case .overstays:
            list(
                texts["list_overstays"],
                overstays.map { alert in
                    let values = [
                        "plate": alert.plate, "time": alert.entryTime, "took": alert.took, "state": alert.state,
                    ]
                    return (say("since_row", values), false)
                })
                + (selected.flatMap { overstays[$0].waitsFor } ?? []).map {
                    Line("    " + say("may_have_left", ["what": $0]))
                }
        case .matches:
            list(texts["list_matches"], matches.map { (text(of: $0), false) }) + [
                Line(""), Line(texts["match_hint"], .dim),
            ]
        case .outcomes: list(texts["list_outcomes"], outcomes.map { (text(of: $0), false) })
        case .queue: queueLines
        default: question
        }
    }

    /// What is asked of the ranger, with what is typed.
    private var question: [Line] {
        switch place {
        case .plate(let id):
            asked("plate_of", ["id": id])
                + [Line(say("type_line", ["type": chosenType.map(texts.type) ?? texts["type_guess"]])), Line("")]
                + (reviews.first { $0.id == id }?.candidates ?? []).map { Line("  " + say("or", ["plate": $0])) }
        case .outcome(let judged):
            [
                Line(say("outcome_of", ["title": judged.alert.title, "plate": judged.alert.plate]), .bright),
                Line(Self.facts(judged.alert)),
                Line(
                    say(
                        "entry_exit",
                        ["entry": judged.alert.entryTime, "exit": judged.alert.exitTime ?? texts["exit_none"]])),
                Line(judged.holds ?? ""),
            ] + Self.outcomes.map { Line("  \($0.0)  \(outcomeName($0.1))") }
        case .recorded(_, let passage):
            [
                Line(say("is_recorded", ["plate": passage.plate, "time": passage.time]), .bright), Line(""),
                Line("  y  " + texts["yes_recorded"]), Line("  t  " + texts["no_recorded"]),
            ]
        case .fine: asked("ask_fine")
        case .notes(_, let kind, _): asked("ask_notes", ["kind": outcomeName(kind)])
        case .discarding(let review):
            [
                Line(
                    say(
                        "ask_discard",
                        [
                            "plate": review.plate.isEmpty ? texts["no_plate_vehicle"] : review.plate,
                            "time": review.time,
                        ]), .bright)
            ]
        case .dismissing(let overstay, let reason):
            [Line(say("ask_close", ["plate": overstay.plate, "reason": reason]), .bright)]
        case .sureOutcome(_, let kind, let fine, _):
            [Line(say("ask_replace", ["what": outcomeName(kind) + (fine.isEmpty ? "" : " " + fine)]), .bright)]
        case .rejecting(let match):
            [Line(say("ask_two", ["plate": match.ownPlate, "other": match.otherPlate]), .bright)]
        case .accepting(let match):
            [Line(say("ask_one", ["plate": match.ownPlate, "other": match.otherPlate]), .bright)]
        case .help: texts["keys_page"].split(separator: "|").map { Line(String($0)) }
        case .reason(let overstay): asked("ask_reason", ["plate": overstay.plate])
        case .correction(let passage): asked("ask_correct", ["plate": passage.plate])
        case .correctionReason(let passage, let plate):
            asked("ask_correct_reason", ["plate": passage.plate, "new": plate])
        case .withdrawal(let passage): asked("ask_withdraw", ["plate": passage.plate])
        case .search: asked("ask_search")
        default: []
        }
    }

    private func plate(of review: Review) -> String { review.plate.isEmpty ? texts["no_plate"] : review.plate }

    private func row(_ passage: Passage) -> (text: String, isBright: Bool) {
        let mark = passage.violationText ?? (passage.isWithdrawn ? texts["mark_withdrawn"] : "")
        let plate = WatchCells.padded(passage.plate, 18)
        return ("\(passage.day) \(passage.time)  \(plate) \(passage.typeText)  \(mark)", passage.violationText != nil)
    }

    private func text(of match: Match) -> String {
        say(
            "match_row",
            [
                "plate": match.ownPlate, "time": match.ownTime, "other": match.otherPlate,
                "othertime": match.otherTime, "post": match.otherPost,
            ])
    }

    private func text(of done: Done) -> String {
        let parts = ["\(done.alert.title)  \(done.alert.plate)", done.what, done.by]
        return (parts + (done.isClosed ? [texts["closed_mark"]] : [])).joined(separator: "  ")
    }

    private func details(_ passage: Passage) -> [Line] {
        var marks = [passage.violationText?.uppercased(), passage.isMatched ? texts["mark_seen"] : nil]
        marks += [
            passage.isCorrected ? texts["mark_corrected"] : nil, passage.isWithdrawn ? texts["mark_withdrawn"] : nil,
        ]
        return [
            Line(say("passage_of", ["plate": passage.plate]), .bright),
            Line("  \(passage.typeText), \(passage.day) \(passage.time)"),
            Line(
                "  "
                    + say(
                        "passage_by",
                        ["origin": passage.originText, "sure": passage.sureText, "clock": passage.clockText])),
            Line("  " + say("passage_server", ["sync": passage.syncText])),
            Line("  " + marks.compactMap(\.self).joined(separator: ", ")),
        ]
    }

    private var queueLines: [Line] {
        guard let queue else { return list(texts["list_queue"], []) }
        let entries = queue.dead.map { ("\($0.entity)  \($0.plate)  \($0.error)", false) }
        return list(texts["list_queue"] + ": " + queue.text, entries) + [Line("")] + queue.runs.map { Line("  " + $0) }
    }
}
