import Enforcement
import Testing

@Suite("A link that nobody misses", .timeLimit(.minutes(1)))
struct OwnLinkWatchTests {
    private func after(_ minutes: Double) -> Instant { Instant(milliseconds: 0) + .minutes(minutes) }

    @Test func `is told once after ten minutes through the other post, and when it is back`() {
        var watch = OwnLinkWatch()
        func look(_ minutes: Double, _ isThroughPeer: Bool, online: Bool = true) -> OwnLinkWatch.Change? {
            watch.look(isOnline: online, isThroughPeer: isThroughPeer, at: after(minutes))
        }
        #expect(look(-1, false) == .isBack)
        #expect(look(0, false) == nil)
        #expect(look(1, true) == nil)
        #expect(look(10.9, true) == nil)
        #expect(look(11, true) == .isDown)
        #expect(look(12, true) == nil)
        // Out of reach is told by itself.
        #expect(look(13, false, online: false) == nil)
        #expect(look(14, true) == nil)
        #expect(look(15, false) == .isBack)
        #expect(look(16, false) == nil)
    }

    @Test func `isn't told when it is only gone for moments`() {
        var watch = OwnLinkWatch()
        // What an earlier run told is taken back.
        #expect(watch.look(isOnline: true, isThroughPeer: false, at: after(-1)) == .isBack)
        for minute in 0..<100 {
            let isThroughPeer = minute % 9 != 0
            #expect(watch.look(isOnline: true, isThroughPeer: isThroughPeer, at: after(Double(minute))) == nil)
        }
    }
}
