import Foundation
import Testing

@testable import Appliance
@testable import checkpost

@Suite("The bench of matching", .timeLimit(.minutes(15)))
struct MatchingBenchTests {
    @Test func `measures rounds and matches in a history of its own`() throws {
        let folder = try TemporaryFolder()
        var progress: [Int] = []
        let report = try MatchingBench(rows: 4000, seed: 1).measure(in: folder.url) { progress.append($0) }
        #expect(progress == [2000, 4000])
        #expect(report.rows == 4000 && report.matches == 1000 && report.fullRoundPassages == 80)
        #expect(report.matchMedianMs > 0 && report.matchP99Ms >= report.matchMedianMs)
        #expect(report.fullRoundMs > report.idleRoundMs)
        #expect(report.text.contains("4000 passages of both posts"))
    }
}
