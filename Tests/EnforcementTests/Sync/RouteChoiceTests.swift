import Enforcement
import TestKit
import Testing

@Suite("The way to the server", .timeLimit(.minutes(1)))
struct RouteChoiceTests {
    private let start = Instant(milliseconds: 0)
    private func after(_ seconds: Double) -> Instant { start + .seconds(seconds) }

    @Test func `is the box's own link, and the other post's where that is down`() {
        var choice = RouteChoice()
        #expect(choice.route == .own && choice.ways(at: start) == [.own, .peer])
        choice.took(.own, cameThrough: true, at: start)
        #expect(choice.route == .own)
        choice.took(.own, cameThrough: false, at: after(1))
        choice.took(.peer, cameThrough: true, at: after(1))
        #expect(choice.route == .peer && choice.ways(at: after(2)) == [.peer, .own])
    }

    @Test func `is the own link again as soon as that works, which is tried every two minutes`() {
        var choice = RouteChoice()
        choice.took(.own, cameThrough: false, at: start)
        choice.took(.peer, cameThrough: true, at: start)
        #expect(choice.ways(at: after(119)) == [.peer, .own])
        #expect(choice.ways(at: after(120)) == [.own, .peer])
        choice.took(.own, cameThrough: false, at: after(120))
        choice.took(.peer, cameThrough: true, at: after(120))
        #expect(choice.ways(at: after(239)) == [.peer, .own])
        choice.took(.own, cameThrough: true, at: after(240))
        #expect(choice.route == .own && choice.ways(at: after(241)) == [.own, .peer])
    }

    @Test func `leaves another post alone for half a minute that has no way either`() {
        var choice = RouteChoice()
        choice.took(.own, cameThrough: false, at: start)
        choice.took(.peer, cameThrough: false, at: start)
        #expect(choice.route == .own && choice.ways(at: after(29)) == [.own])
        #expect(choice.ways(at: after(30)) == [.own, .peer])
    }

    @Test func `leaves it alone longer each time, up to five minutes, until it has one or the network changed`() {
        var choice = RouteChoice()
        var now = start
        var waits: [Double] = []
        for _ in 0..<8 {
            choice.took(.own, cameThrough: false, at: now)
            choice.took(.peer, cameThrough: false, at: now)
            let failed = now
            while choice.ways(at: now) == [.own] { now = now + .seconds(1) }
            waits.append((now - failed).seconds)
        }
        #expect(waits == waits.sorted() && waits.last.map { $0 > 200 && $0 <= 300 } == true, "\(waits)")
        choice.took(.peer, cameThrough: false, at: now)
        choice.networkChanged()
        #expect(choice.ways(at: now) == [.own, .peer])
    }

    @Test func `is tried on both when the other post's link goes down, too`() {
        var choice = RouteChoice()
        choice.took(.own, cameThrough: false, at: start)
        choice.took(.peer, cameThrough: true, at: start)
        choice.took(.peer, cameThrough: false, at: after(10))
        #expect(choice.route == .own && choice.ways(at: after(11)) == [.own])
    }

    /// Whatever came of the ways before, there is one to try, each once, and the own one within two minutes.
    @Test(arguments: [Seed.drawn()])
    func `is never none, and never long without the own link`(_ seed: UInt64) {
        var choice = RouteChoice()
        var random = SeededGenerator(seed: seed)
        var lastOwn = start
        for step in 0..<5000 {
            let now = after(Double(step) * 7)
            let ways = choice.ways(at: now)
            #expect(!ways.isEmpty && Set(ways).count == ways.count)
            for way in ways {
                let cameThrough = Bool.random(using: &random)
                if way == .own { lastOwn = now }
                choice.took(way, cameThrough: cameThrough, at: now)
                if cameThrough { break }
            }
            #expect(now - lastOwn <= .seconds(127))
        }
    }
}
