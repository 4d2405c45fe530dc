import Foundation
import ReaderLab
import Recognition
import Testing

@testable import checkpost

@Suite("What the benches say", .timeLimit(.minutes(15)))
struct BenchTests {
    @Test func `a share comes with its interval`() {
        var share = Share()
        for index in 0..<199 { share.add(index < 187) }
        #expect(share.text == "94.0 % (90 to 97)")
        #expect(Share().text == "-")
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

    @Test func `the conditions are read one by one, with what helps, and a plate that burns out is read no more`()
        async throws
    {
        let stills = Checkout.samples.appendingPathComponent("stills").path
        let result = try await Program.run(["bench", "conditions", stills, "--limit", "4", "--json"])
        #expect(result.status == 0, "\(result.errors)")
        let rows = try #require(result.objects.first?["rows"] as? [[String: Any]])
        #expect(rows.compactMap { $0["condition"] as? String } == PictureCondition.allCases.map(\.rawValue))
        func right(_ condition: PictureCondition) -> Int {
            rows.first { $0["condition"] as? String == condition.rawValue }?["right"] as? Int ?? -1
        }
        #expect(right(.day) == 4 && right(.burntOut) < 4, "\(result.output)")
        let shown = try await Program.run(["bench", "conditions", stills, "--limit", "1"])
        #expect(shown.output.contains("burnt out: Set the exposure by hand"))
    }

    @Test func `a sweep shows that a higher threshold makes the reader silent`() async throws {
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
        // A weight may be negative, and its sign is no option.
        let weight = try await Program.run([
            "bench", "sweep", "evidence.intercept", "--from", "-60", "--to", "-37.035", "--steps", "2", "--limit", "2",
            stills,
        ])
        #expect(weight.status == 0, "\(weight.errors)")
        #expect(weight.output.contains("evidence.intercept") && weight.output.contains("-37.035"))
        let unknown = try await Program.run(
            ["bench", "sweep", "cascade.courage", "--from", "0", "--to", "1", stills])
        #expect(unknown.status == 1 && unknown.errors.contains("checkpost model show"))
    }
}
