import Foundation
import Recognition
import Testing

@testable import checkpost

@Suite("A sweep over a parameter", .timeLimit(.minutes(15)))
struct SweepTests {
    private let parameters: ReaderParameters

    init() throws {
        parameters = try ModelFolder.parameters(given: Checkout.root.appendingPathComponent("models").path)
    }

    @Test func `takes even steps, and the value in use with them`() throws {
        let sweep = try ParameterSweep("cascade.cut_confidence", from: 0.1, to: 0.5, count: 5, parameters: parameters)
        #expect(sweep.variants.map(\.value) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
        #expect(sweep.variants.map(\.parameters.cascade.cutConfidence) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    }

    @Test func `of a whole number takes whole steps, each once`() throws {
        let sweep = try ParameterSweep("scripts.latin.lines", from: 1, to: 4, count: 7, parameters: parameters)
        #expect(sweep.variants.map(\.parameters.scripts.latin.lines) == [1, 2, 3, 4, 22])
    }

    @Test func `refuses a name that no parameter has, and a value that none may have`() {
        #expect(throws: ReaderParameters.Failure.unknown("cascade.courage")) {
            try ParameterSweep("cascade.courage", from: 0, to: 1, count: 2, parameters: parameters)
        }
        #expect(throws: ReaderParameters.Failure.outside("cascade.cut_confidence", 0...1)) {
            try ParameterSweep("cascade.cut_confidence", from: 0, to: 2, count: 2, parameters: parameters)
        }
    }

    @Test func `counts right, wrong and silent, and a picture without a plate`() {
        var row = ParameterSweep.Row(value: 1, isInUse: false)
        row.add("KLT4829", truths: ["KLT4829"])
        row.add("KLT4820", truths: ["KLT4829"])
        row.add("KLT4829", truths: [])
        row.add(nil, truths: [])
        row.add(nil, truths: ["KLT4829"])
        #expect(row.right == 2 && row.wrong == 2 && row.silent == 1 && row.count == 5)
    }

    @Test func `shows that a higher threshold makes the reader silent`() async throws {
        let stills = Checkout.samples.appendingPathComponent("stills").path
        let result = try await Program.run([
            "bench", "sweep", "cascade.minimum_confidence", "--from", "0.05", "--to", "1", "--steps", "2", "--limit",
            "6",
            stills, "--json",
        ])
        #expect(result.status == 0, "\(result.errors)")
        let rows = try #require(result.objects.first?["rows"] as? [[String: Any]])
        #expect(rows.compactMap { $0["value"] as? Double } == [0.05, 1])
        #expect(rows.compactMap { $0["in_use"] as? Bool } == [true, false])
        #expect(rows.compactMap { $0["count"] as? Int } == [6, 6])
        let silent = rows.compactMap { $0["silent"] as? Int }
        #expect(silent.count == 2 && silent[0] < silent[1], "\(result.output)")
        let unknown = try await Program.run(
            ["bench", "sweep", "cascade.courage", "--from", "0", "--to", "1", stills])
        #expect(unknown.status == 1 && unknown.errors.contains("checkpost model show"))
    }
}
