import Testing

@testable import Enforcement

@Suite("A memory of signs", .timeLimit(.minutes(5)))
struct FixtureMemoryTests {
    private let box = Box(x: 100, y: 100, width: 120, height: 40)

    private func remembering(_ times: Int, stood: TimeSpan = .seconds(1)) -> FixtureMemory {
        var memory = FixtureMemory()
        for _ in 0..<times {
            memory.remember(text: "CAFE2000", confidence: 0.9, box: box, stood: stood, at: Instant(seconds: 0))
        }
        return memory
    }

    private func fixture(
        _ memory: FixtureMemory, _ text: String = "CAFE2000", _ confidence: Double = 0.9, at seconds: Double = 0,
        box: Box? = nil
    ) -> FixtureMemory.Fixture? {
        memory.fixture(of: reading(text, confidence, box: box ?? self.box), at: Instant(seconds: seconds))
    }

    @Test(arguments: [(1, false), (3, false), (4, true), (9, true)])
    func `is certain of a sign after four sightings`(times: Int, isCertain: Bool) {
        #expect(fixture(remembering(times))?.isCertain == isCertain)
    }

    @Test func `is certain at once of what stood for half an hour`() {
        #expect(fixture(remembering(1, stood: FixtureMemory.longestStanding))?.isCertain == true)
        #expect(fixture(remembering(1, stood: .minutes(29)))?.isCertain == false)
    }

    @Test(arguments: [(1, 44.0, true), (1, 46.0, false), (4, 46.0, true), (4, 2100.0, true), (4, 2220.0, false)])
    func `forgets in time, later what was seen often`(times: Int, minutes: Double, isRemembered: Bool) {
        #expect((fixture(remembering(times), at: minutes * 60) != nil) == isRemembered)
    }

    @Test func `knows a sign though a character is read differently, unless it is read well`() {
        #expect(fixture(remembering(1), "CAFE2O0O") != nil)
        #expect(fixture(remembering(1), "CAFF2000", 0.4) != nil)
        #expect(fixture(remembering(1), "CAFF2000", 0.5) == nil)
        #expect(fixture(remembering(1), "CAFF2001", 0.4) == nil)
    }

    @Test func `takes another text, or another place, for something else`() {
        #expect(fixture(remembering(4), "UP32AB1234") == nil)
        #expect(fixture(remembering(4), box: Box(x: 300, y: 100, width: 120, height: 40)) == nil)
    }

    @Test func `goes on knowing a sign that is read all day`() {
        var memory = remembering(4)
        for hour in stride(from: 0.0, through: 240, by: 24) {
            memory.refresh(reading("CAFE2000", box: box), at: Instant(seconds: hour * 3600))
        }
        #expect(fixture(memory, at: 241 * 3600)?.isCertain == true)
    }

    @Test func `holds a bounded number, the oldest making room`() {
        var memory = FixtureMemory()
        for index in 0..<100 {
            let place = Box(x: index * 200, y: 0, width: 120, height: 40)
            memory.remember(
                text: "CAFE2000", confidence: 0.9, box: place, stood: .seconds(1), at: Instant(seconds: Double(index)))
        }
        #expect(memory.fixtures.count == 32)
        #expect(memory.fixtures.map(\.lastSeenAt).min() == Instant(seconds: 68))
    }
}
