import Testing

@testable import ReaderLab

@Suite("What the reader is worth", .timeLimit(.minutes(5)))
struct ConfidenceBenchTests {
    private func answers(_ list: [(Double, Bool)], devanagari: Bool = false) -> [ConfidenceBench.Answer] {
        list.enumerated().map { index, answer in
            .init(group: "P\(index / 3)", confidence: answer.0, isRight: answer.1, isDevanagari: devanagari)
        }
    }

    @Test func `a share has the interval that the true one lies in`() {
        let share = Share(right: 187, count: 199)
        #expect(share.percent.rounded() == 94)
        #expect(share.interval.low.rounded() == 90 && share.interval.high.rounded() == 97)
        #expect(Share().interval == (0, 100))
    }

    /// Says 0.99 and is right four times of five: the curve says what it should have said.
    @Test func `a reader that is too sure of itself is found out and put right`() {
        let boastful = answers((0..<200).map { (0.99, $0 % 5 != 0) } + (0..<200).map { (0.4, $0 % 5 == 0) })
        let report = ConfidenceBench.report(boastful, pictures: 410)
        #expect(report.silent == 10)
        #expect(report.bins.last?.share == Share(right: 160, count: 200))
        #expect(report.threshold == nil)
        #expect(abs(report.latin.probability(0.99) - 0.8) < 0.03)
        #expect(abs(report.latin.probability(0.4) - 0.2) < 0.03)
        #expect(report.recalibratedBins.allSatisfy { $0.share.count == 0 || $0.from < 0.9 })
    }

    @Test func `the threshold is where 95 of 100 are right, for each script by itself`() {
        let latin = answers((0..<100).map { (0.86, $0 >= 3) } + (0..<100).map { (0.7, $0 >= 40) })
        let painted = answers((0..<100).map { (0.98, $0 >= 2) } + (0..<100).map { (0.9, $0 >= 20) }, devanagari: true)
        let report = ConfidenceBench.report(latin + painted, pictures: 400)
        #expect(report.threshold == 0.71)
        #expect(report.thresholdInDevanagari == 0.91)
        #expect(ConfidenceBench.report(answers([(0.9, true)]), pictures: 1).threshold == nil)
    }
}
