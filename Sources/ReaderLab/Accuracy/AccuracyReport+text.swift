import Enforcement
import Foundation

extension AccuracyReport {
    /// The report for people.
    package func text(name: String) -> String {
        func share(_ count: Int) -> String {
            plates > 0 ? Wording.decimal(100 * Double(count) / Double(plates)) + " %" : "-"
        }
        var table = TextTable([("stage", .left), ("median ms", .right), ("95 % ms", .right)])
        for (stage, times) in [("decode", decodeMs), ("find", findMs), ("read", readMs), ("all", totalMs)] {
            table.add([stage, Wording.decimal(times.median), Wording.decimal(times.percentile95)])
        }
        return """
            \(name): \(pictures) pictures, \(plates) plates
              exact \(share(exact))  folded \(share(folded))  found \(share(found))  \
            character error rate \(Wording.decimal(characterErrorRate, 3))
              pictures without a plate: \(withoutPlateRight) of \(withoutPlate) right  unreadable: \(unreadable)
            \(formats.text.map { "\n" + $0 + "\n" } ?? "")
            \(table.text())\(missesText)
            """
    }

    /// Every miss, and the misses by cause; empty when there is none.
    private var missesText: String {
        guard !misses.isEmpty else { return "" }
        var list = TextTable([
            ("picture", .left), ("plate", .left), ("read", .left), ("sure", .right), ("why", .left),
        ])
        for miss in misses {
            list.add([
                miss.file, miss.truth, miss.answer ?? "-", miss.confidence.map { Wording.decimal($0, 2) } ?? "-",
                "\(miss.cause.rawValue) (\(miss.why))",
            ])
        }
        var causes = TextTable([("cause", .left), ("plates", .right)])
        for (cause, found) in Dictionary(grouping: misses, by: \.cause).sorted(by: {
            ($1.value.count, $0.key) < ($0.value.count, $1.key)
        }) {
            causes.add([cause.rawValue, "\(found.count)"])
        }
        return "\n\n" + list.text() + "\n\n" + causes.text()
    }
}

extension FormatTally {
    /// The table for people; nil when all plates are of one format.
    package var text: String? {
        guard scores.count > 1 else { return nil }
        var table = TextTable([("format", .left), ("plates", .right), ("right", .right), ("found", .right)])
        for (name, score) in scores.sorted(by: { $0.key < $1.key }) {
            table.add([name, "\(score.plates)", "\(score.right)", "\(score.found)"])
        }
        return table.text()
    }
}
