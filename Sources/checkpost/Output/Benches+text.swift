import Appliance
import Foundation
import ReaderLab

// What benches measured, for people.

extension ReaderBench.Report {
    var text: String {
        var table = TextTable([("", .left), ("median ms", .right), ("95 % ms", .right)])
        for (name, times) in [
            ("decode", decodeMs), ("find", findMs), ("read", readMs), ("all", totalMs), ("still scene", stillMs),
        ] {
            table.add([name, Output.decimal(times.median), Output.decimal(times.percentile95)])
        }
        let failed = unreadable > 0 ? ", \(unreadable) of them unreadable" : ""
        let share = totalMs.median > 0 ? 100 * stillMs.median / totalMs.median : 0
        return """
            \(pictures) pictures\(failed)
            \(table.text)
            a still scene costs \(Output.decimal(share, 0)) % of a busy one
            frames a second: \(Output.decimal(framesPerSecondOnOneCore)) on one core, \
            \(Output.decimal(framesPerSecondOnTwoCores)) on two
            peak memory: \(Output.bytes(peakMemoryBytes))
            """
    }
}

extension VoteBench.Report {
    var text: String {
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
    var text: String {
        func table(_ title: String, _ bins: [ConfidenceBench.Bin]) -> String {
            var table = TextTable([(title, .left), ("said", .right), ("right", .left)])
            for bin in bins {
                let name = bin.to > 1 ? "\(bin.from) and more" : "\(bin.from) to \(bin.to)"
                table.add([name, "\(bin.share.count)", bin.share.text])
            }
            return table.text
        }
        func least(_ threshold: Double?) -> String { threshold.map { Output.decimal($0, 2) } ?? "nowhere" }
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
    var text: String {
        var table = TextTable([
            (parameter, .right), ("right", .right), ("wrong", .right), ("silent", .right), ("n", .right),
            ("right of all", .left), ("", .left),
        ])
        for row in rows {
            table.add([
                Output.number(row.value), "\(row.right)", "\(row.wrong)", "\(row.silent)", "\(row.count)",
                Share(right: row.right, count: row.count).text, row.isInUse ? "in use" : "",
            ])
        }
        let failed = unreadable > 0 ? ", \(unreadable) of them unreadable" : ""
        return "\(pictures) pictures\(failed)\n\(table.text)"
    }
}

extension MatchingBench.Report {
    var text: String {
        func milliseconds(_ value: Double) -> String { Output.decimal(value, 2) + " ms" }
        return """
            \(rows) passages of both posts, \(Output.bytes(databaseBytes)), made in \(Output.decimal(buildSeconds, 0)) s
            a round with nothing new: \(milliseconds(idleRoundMs))
            a round with \(fullRoundPassages) new passages: \(milliseconds(fullRoundMs)) (wanted: below \(milliseconds(roundLimitMs)))
            one match, of \(matches): median \(milliseconds(matchMedianMs)), 99 of 100 within \(milliseconds(matchP99Ms)) \
            (wanted: below \(milliseconds(matchLimitMs)))
            """
    }
}

extension LogitCurve {
    var text: String { "\(Output.decimal(shift, 2)) + \(Output.decimal(slope, 2)) × log odds" }
}

extension Share {
    /// `94.0 % (90 to 97)`.
    var text: String {
        guard count > 0 else { return "-" }
        return
            "\(Output.decimal(percent)) % (\(Output.decimal(interval.low, 0)) to \(Output.decimal(interval.high, 0)))"
    }
}
