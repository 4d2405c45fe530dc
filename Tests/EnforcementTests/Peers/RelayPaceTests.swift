import Enforcement
import Testing

@Suite("How often a lent connection is asked about", .timeLimit(.minutes(1)))
struct RelayPaceTests {
    @Test func `at once until an answer came and nothing more`() {
        var pace = RelayPace()
        #expect(!pace.isAwaiting)
        pace.sends()
        for _ in 0..<100 { pace.heard(something: false) }
        // The server may think for long.
        #expect(pace.isAwaiting)
        #expect(pace.wait == 1000 && pace.lull == 0)
        pace.heard(something: true)
        // The next request doesn't stand behind the question whether there is more.
        #expect(pace.isAwaiting && pace.wait < 200 && pace.lull > 0)
        pace.heard(something: false)
        #expect(!pace.isAwaiting && !pace.isOver && pace.wait == 0)
    }

    @Test func `then rarer and rarer, and no more after a minute`() {
        var pace = RelayPace()
        pace.sends()
        pace.heard(something: true)
        pace.heard(something: false)
        var asked: [Int] = []
        var time = 0
        while !pace.isOver, time < 100_000 {
            time += 250
            guard pace.isDue(after: 250) else { continue }
            asked.append(time)
            pace.heard(something: false)
        }
        #expect(time == 60_000)
        #expect(asked.count < 10 && asked.first == 500)
        // What was sent begins anew.
        pace.sends()
        #expect(!pace.isOver && pace.isAwaiting)
    }
}
