import Enforcement
import Foundation
import Testing

@testable import checkpost

@Suite("What the reader is worth", .timeLimit(.minutes(15)))
struct BenchTests {
    private func answers(_ list: [(Double, Bool)], devanagari: Bool = false) -> [ConfidenceBench.Answer] {
        list.enumerated().map { index, answer in
            .init(group: "P\(index / 3)", confidence: answer.0, isRight: answer.1, isDevanagari: devanagari)
        }
    }

    @Test func `a share comes with its interval`() {
        var share = Share()
        for index in 0..<199 { share.add(index < 187) }
        #expect(share.text == "94.0 % (90 to 97)")
        #expect(Share().text == "-")
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

    @Test
    func `five mediocre frames of a drawn plate, voted, are no worse than the surest of them, and better than each`()
        async throws
    {
        let stills = Checkout.samples.appendingPathComponent("stills").path
        let result = try await Program.run(["bench", "vote", stills, "/nowhere", "--limit", "24", "--json"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("/nowhere is skipped"))
        let report = try #require(result.objects.first)
        func right(_ name: String) -> Int { (report[name] as? [String: Any])?["right"] as? Int ?? -1 }
        #expect(report["pictures"] as? Int ?? 0 >= 20)
        #expect(right("voted") >= right("best_single"), "\(result.output)")
        #expect(5 * right("voted") > right("single"))
    }

    @Test func `nothing to measure on is an error that says what is wanted`() async throws {
        let result = try await Program.run(["bench", "confidence", "/nowhere"])
        #expect(result.status == 1)
        #expect(result.errors.contains("truth.csv"))
        #expect(try await Program.run(["bench", "vote", "/nowhere", "--frames", "1"]).status == 2)
    }
}
