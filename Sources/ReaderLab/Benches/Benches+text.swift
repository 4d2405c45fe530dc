import Enforcement
import Foundation

// What benches measured, for people.

extension ReaderBench.Report {
    package var text: String {
        var table = TextTable([("", .left), ("median ms", .right), ("95 % ms", .right)])
        for (name, times) in [
            ("decode", decodeMs), ("find", findMs), ("read", readMs), ("all", totalMs), ("still scene", stillMs),
        ] {
            table.add([name, Wording.decimal(times.median), Wording.decimal(times.percentile95)])
        }
        let failed = unreadable > 0 ? ", \(unreadable) of them unreadable" : ""
        let share = totalMs.median > 0 ? 100 * stillMs.median / totalMs.median : 0
        return """
            \(pictures) pictures\(failed)
            \(table.text())
            a still scene costs \(Wording.decimal(share, 0)) % of a busy one
            frames a second: \(Wording.decimal(framesPerSecondOnOneCore)) on one core, \
            \(Wording.decimal(framesPerSecondOnTwoCores)) on two
            peak memory: \(Wording.bytes(peakMemoryBytes))
            """
    }
}

extension VoteBench.Report {
    package var text: String {
        """
        \(pictures) pictures, each as a sighting of \(framesEach) jittered frames
          a frame by itself      \(single.text)
          the surest of them     \(bestSingle.text)
          voted                  \(voted.text)
          right by the vote alone \(gained), by the surest frame alone \(lost)
        """
    }
}

extension ConfidenceBench.Report {
    package var text: String {
        func table(_ title: String, _ bins: [ConfidenceBench.Bin]) -> String {
            var table = TextTable([(title, .left), ("said", .right), ("right", .left)])
            for bin in bins {
                let name = bin.to > 1 ? "\(bin.from) and more" : "\(bin.from) to \(bin.to)"
                table.add([name, "\(bin.share.count)", bin.share.text])
            }
            return table.text()
        }
        func least(_ threshold: Double?) -> String { threshold.map { Wording.decimal($0, 2) } ?? "nowhere" }
        return """
            \(pictures) pictures, nothing said in \(silent)
            \(table("confidence", bins))

            \(table("recalibrated, split by plate", recalibratedBins))

            \(table("Latin", above))

            \(table("Devanagari", aboveInDevanagari))

            95 % are right from: Latin \(least(threshold)), Devanagari \(least(thresholdInDevanagari))
            curves: Latin \(latin.text), Devanagari \(devanagari.text)
            """
    }
}

extension ParameterSweep.Report {
    package var text: String {
        AnswerTally.table(
            parameter, .right,
            rows.map { (Wording.number($0.value), $0.answers, $0.isInUse ? "in use" : "") },
            pictures: pictures, unreadable: unreadable)
    }
}

extension ConditionsBench.Report {
    package var text: String {
        let names = rows.map { ($0.condition.rawValue.replacing("_", with: " "), $0) }
        func mark(_ row: ConditionsBench.Row) -> String {
            guard row.surelyWrong > 0 else { return "" }
            return "\(row.surelyWrong) wrong with \(Wording.decimal(ConditionsBench.sure)) and more"
        }
        let table = AnswerTally.table(
            "drawn", .left, names.map { ($0, $1.answers, mark($1)) }, pictures: pictures, unreadable: unreadable)
        let advice = names.map { "  \($0): \($1.condition.advice)" }.joined(separator: "\n")
        return table + "\n\nwhat helps\n" + advice
    }
}

extension AnswerTally {
    fileprivate static func table(
        _ title: String, _ alignment: TextTable.Align, _ rows: [(name: String, answers: AnswerTally, mark: String)],
        pictures: Int, unreadable: Int
    ) -> String {
        var table = TextTable([
            (title, alignment), ("right", .right), ("wrong", .right), ("silent", .right), ("n", .right),
            ("right of all", .left), ("", .left),
        ])
        for (name, answers, mark) in rows {
            table.add([
                name, "\(answers.right)", "\(answers.wrong)", "\(answers.silent)", "\(answers.count)",
                answers.share.text, mark,
            ])
        }
        let failed = unreadable > 0 ? ", \(unreadable) of them unreadable" : ""
        return "\(pictures) pictures\(failed)\n\(table.text())"
    }
}

extension LogitCurve {
    package var text: String { "\(Wording.decimal(shift, 2)) + \(Wording.decimal(slope, 2)) × log odds" }
}

extension Share {
    /// `94.0 % (90 to 97)`.
    package var text: String {
        guard count > 0 else { return "-" }
        return
            "\(Wording.decimal(percent)) % (\(Wording.decimal(interval.low, 0)) to \(Wording.decimal(interval.high, 0)))"
    }
}
