import Enforcement
import Foundation
import Pages
import Paper

/// A notice in words, in one language.
struct NoticePaper {
    let notice: Notice
    let texts: Texts
    let picture: NoticeDocument.Shown

    private var violation: Violation { notice.violation }
    private var isSpeeding: Bool { violation.kind == .speeding }

    var title: String { texts[isSpeeding ? "notice_speeding" : "notice_overstay"] }

    func blocks(pictureHeightMm: Double) -> [PaperDocument.Block] {
        let shown = [(notice.entry, "entry"), (notice.exit, "exit")].map { side, name in
            (side, side.picture.flatMap(picture), texts[name] + " " + side.post + ", " + texts.moment(side.time))
        }
        var blocks: [PaperDocument.Block] = [
            .title(PaperText(title)),
            .paragraph(PaperText(texts("notice_number", ["number": notice.number]), isBold: true)),
            .table(PaperTable(columns: [.init(), .init(share: 2)], rows: facts)),
            .paragraph(PaperText(finding, isBold: true, scale: 1.1)),
            .table(PaperTable(columns: [.init(), .init(share: 2)], rows: outcome)),
        ]
        let pictures = shown.compactMap { side, picture, label in
            picture.map { picture in
                var picture = picture
                picture.caption = PaperText(label) + sum(of: side)
                return picture
            }
        }
        if !pictures.isEmpty { blocks.append(.pictures(pictures, heightMm: pictureHeightMm)) }
        for (_, picture, label) in shown where picture == nil {
            blocks.append(.paragraph(PaperText(label + ": " + texts["no_photo"])))
        }
        return blocks + [
            .paragraph(
                PaperText(
                    texts("notice_written", ["time": texts.moment(notice.writtenAt), "post": place]), scale: 0.85)),
            .signatures([signer, texts["notice_driver"]]),
        ]
    }

    private var place: String {
        switch notice.writer {
        case .ranger(_, let post): post
        case .office: texts["notice_place_office"]
        }
    }

    private var signer: String {
        switch notice.writer {
        case .ranger(let name, _): texts("notice_ranger", ["name": name])
        case .office(let name): texts("notice_office", ["name": name])
        }
    }

    private func sum(of side: Notice.Side) -> PaperText {
        PaperText(side.picture?.sha256.map { "\nSHA-256 \($0)" } ?? "", scale: 0.62)
    }

    private func kmh(_ number: Double) -> String {
        texts.digits(FindingFigures.number(number, decimals: 4)) + " " + texts["kmh"]
    }

    private var figures: FindingFigures { FindingFigures(violation, units: texts.units) }

    private var speed: String {
        figures.speed.map { texts.digits($0) + " " + texts["kmh"] } ?? texts["infinite"]
    }

    private var facts: [[PaperText]] {
        let script = PlateSpelling.shown(violation.plate).map { PaperText("  " + $0, scale: 1.3) } ?? ""
        var rows: [[PaperText]] = [
            [PaperText(texts["plate"]), .bold(violation.plate.canonical, scale: 1.3) + script],
            [PaperText(texts["vehicle_type"]), PaperText(texts.type(violation.vehicleType))],
        ]
        let distance = texts.digits(FindingFigures.number(violation.distanceKm, decimals: 2)) + " " + texts["km"]
        rows.append([
            PaperText(texts["notice_road"]),
            PaperText([notice.road, distance].compactMap(\.self).joined(separator: ", ")),
        ])
        for (side, name) in [(notice.entry, "entry"), (notice.exit, "exit")] {
            rows.append([PaperText(texts[name] + " " + side.post), .bold(texts.moment(side.time))])
        }
        rows.append([PaperText(texts["took"]), PaperText(texts.digits(figures.took))])
        rows.append([PaperText(texts["speed"]), .bold(speed) + PaperText("\n" + formula, scale: 0.9)])
        rows.append([PaperText(texts["limit"]), PaperText(limit)])
        return rows
    }

    /// `45 km × 3600 ÷ 2400.12 s = 67.497 km/h`: whoever has the times can do it again.
    private var formula: String {
        let seconds = violation.travelTime.seconds
        guard seconds > 0 else { return "" }
        return texts.digits(
            FindingFigures.number(violation.distanceKm, decimals: 2) + " " + texts["km"] + " × 3600 ÷ "
                + FindingFigures.number(seconds, decimals: 3) + " " + texts["unit_s"] + " = ") + speed
    }

    /// What is allowed, and what was counted as past it.
    private var limit: String {
        let bound = texts[isSpeeding ? "lawful_max" : "lawful_min"] + " " + kmh(violation.speedLimitKmh)
        guard let tolerance = figures.tolerance else { return bound }
        return bound + "\n"
            + texts(
                isSpeeding ? "notice_counts_above" : "notice_counts_below",
                ["kmh": "\(tolerance) \(texts["kmh"])", "threshold": kmh(violation.thresholdSpeedKmh)])
    }

    private var finding: String {
        texts(
            isSpeeding ? "notice_too_fast" : "notice_too_long",
            ["took": texts.digits(figures.took), "lawful": texts.digits(figures.lawful)])
    }

    private var outcome: [[PaperText]] {
        var rows: [[PaperText]] = []
        if let outcome = notice.outcome {
            let what = [texts["outcome_" + outcome.kind.rawValue], texts.fine(outcome)].filter { !$0.isEmpty }
            rows.append([PaperText(texts["outcome"]), .bold(what.joined(separator: ", "), scale: 1.2)])
            rows.append([
                PaperText(texts["notice_decided"]),
                PaperText(outcome.recordedBy + ", " + texts.moment(outcome.recordedAt)),
            ])
        } else {
            rows.append([PaperText(texts["outcome"]), PaperText(texts["notice_open"])])
        }
        rows.append([PaperText(texts["notice_standing"]), PaperText(texts[violation.state.rawValue])])
        return rows
    }
}
