import Enforcement
import Testing

@Suite("The box's clock", .timeLimit(.minutes(5)))
struct HostClockTests {
    private let own = BootClock(boot: "this run", startedAt: Instant(milliseconds: 1_800_000_000_000))
    private let uptime = Instant(milliseconds: 10 * 3_600_000)

    /// By the server this run began so many seconds before the box has it.
    private func server(ahead seconds: Double, hoursAgo: Double = 0, run: String = "this run") -> HostClock.ServerTime {
        HostClock.ServerTime(
            start: BootClock(boot: run, startedAt: own.startedAt - .seconds(seconds)),
            askedAt: uptime - .hours(hoursAgo))
    }

    private func clock(synchronised: Bool, _ server: HostClock.ServerTime? = nil) -> HostClock {
        HostClock(own: own, uptime: uptime, isSynchronised: synchronised, server: server)
    }

    @Test func `is believed when a time service keeps it, and then tells when the machine started`() {
        for server in [nil, server(ahead: 300), server(ahead: -300), server(ahead: 4, hoursAgo: 9)] {
            let clock = clock(synchronised: true, server)
            #expect(clock.verdict == .believed)
            #expect(clock.trueStart == own.startedAt)
        }
    }

    @Test(arguments: [86_400.0, -86_400, 300.001])
    func `is not believed against the server, whatever the time service says`(ahead: Double) {
        let clock = clock(synchronised: true, server(ahead: ahead))
        #expect(clock.verdict == .contradicted(ahead: .seconds(ahead)))
        #expect(clock.trueStart == nil)
        #expect(HostTime(own: own, now: own.startedAt, verdict: clock.verdict).mendable == nil)
    }

    @Test(arguments: [0.0, 2, -2])
    func `is believed without a time service while the server agrees`(ahead: Double) {
        let clock = clock(synchronised: false, server(ahead: ahead, hoursAgo: 6))
        #expect(clock.verdict == .believed)
        #expect(clock.trueStart == own.startedAt)
    }

    @Test(arguments: [-360.0, 2.001, -2.001])
    func `is put right by a server that knows better`(ahead: Double) {
        let clock = clock(synchronised: false, server(ahead: ahead))
        #expect(clock.verdict == .unknown)
        #expect(clock.trueStart == own.startedAt - .seconds(ahead))
        #expect(HostTime(own: own, now: own.startedAt, verdict: clock.verdict).mendable == own)
    }

    @Test func `is unknown when nobody has told the time in this run, or too long ago`() {
        let old = server(ahead: 0, hoursAgo: 6.001)
        for server in [nil, old, server(ahead: 0, run: "the run before")] {
            let clock = clock(synchronised: false, server)
            #expect(clock.verdict == .unknown)
            #expect(clock.trueStart == nil)
        }
    }

    @Test func `moves what it stamped by as much as it was wrong`() {
        let stamped = own.startedAt + .hours(3)
        #expect(own.moved(stamped, toStart: own.startedAt + .seconds(360)) == stamped + .seconds(360))
    }
}
