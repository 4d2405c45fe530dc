import Enforcement

extension MatchingBench.Report {
    package var text: String {
        func milliseconds(_ value: Double) -> String { Wording.decimal(value, 2) + " ms" }
        return """
            \(rows) passages of both posts, \(Wording.bytes(databaseBytes)), made in \(Wording.decimal(buildSeconds, 0)) s
            a round with nothing new: \(milliseconds(idleRoundMs))
            a round with \(fullRoundPassages) new passages: \(milliseconds(fullRoundMs)) (wanted: below \(milliseconds(roundLimitMs)))
            one match, of \(matches): median \(milliseconds(matchMedianMs)), 99 of 100 within \(milliseconds(matchP99Ms)) \
            (wanted: below \(milliseconds(matchLimitMs)))
            """
    }
}
