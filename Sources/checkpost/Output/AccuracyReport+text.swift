import Foundation
import ReaderLab

extension AccuracyReport {
    /// The report for people.
    func text(name: String) -> String {
        func share(_ count: Int) -> String {
            plates > 0 ? Output.decimal(100 * Double(count) / Double(plates)) + " %" : "-"
        }
        var table = TextTable([("stage", .left), ("median ms", .right), ("95 % ms", .right)])
        for (stage, times) in [("decode", decodeMs), ("find", findMs), ("read", readMs), ("all", totalMs)] {
            table.add([stage, Output.decimal(times.median), Output.decimal(times.percentile95)])
        }
        return """
            \(name): \(pictures) pictures, \(plates) plates
              exact \(share(exact))  folded \(share(folded))  found \(share(found))  \
            character error rate \(Output.decimal(characterErrorRate, 3))
              pictures without a plate: \(withoutPlateRight) of \(withoutPlate) right  unreadable: \(unreadable)
            \(formats.text.map { "\n" + $0 + "\n" } ?? "")
            \(table.text)
            """
    }
}

extension FormatTally {
    /// The table for people; nil when all plates are of one format.
    var text: String? {
        guard scores.count > 1 else { return nil }
        var table = TextTable([("format", .left), ("plates", .right), ("right", .right), ("found", .right)])
        for (name, score) in scores.sorted(by: { $0.key < $1.key }) {
            table.add([name, "\(score.plates)", "\(score.right)", "\(score.found)"])
        }
        return table.text
    }
}
