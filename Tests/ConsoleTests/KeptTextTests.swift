import Enforcement
import Pages
import Synchronization
import Testing

@Suite("A text that is kept for a moment", .timeLimit(.minutes(1)))
struct KeptTextTests {
    private final class Count: Sendable {
        let made = Mutex(0)

        /// The next number, after a while.
        func make() async -> String {
            // For so long that all have asked before it is made.
            try? await Task.sleep(for: .milliseconds(50))
            return made.withLock {
                $0 += 1
                return "\($0)"
            }
        }
    }

    private static func text(_ kept: KeptText, _ count: Count, at seconds: Double) async -> String {
        await kept.text(at: Instant(seconds: seconds), newerThan: .seconds(5)) { await count.make() }
    }

    @Test func `is made once for all that ask at the same time`() async {
        let (kept, count) = (KeptText(), Count())
        let texts = await withTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { await Self.text(kept, count, at: 100) } }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts == ["1"])
    }

    @Test(arguments: [(104.9, "1"), (105, "2"), (99, "2")])
    func `is made anew when it is old, or the clock went back`(seconds: Double, text: String) async {
        let (kept, count) = (KeptText(), Count())
        _ = await Self.text(kept, count, at: 100)
        let later = await Self.text(kept, count, at: seconds)
        #expect(later == text)
    }
}
