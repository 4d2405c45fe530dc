import Testing

@testable import Enforcement

@Suite("The supervision of parts", .timeLimit(.minutes(5)))
struct PartSupervisorTests {
    private let gate = Part.camera("gate")
    private var supervisor = PartSupervisor(
        [Part.camera("gate"), .rounds, .sync].map { ($0, PartBounds($0, machineBytes: 0)) })

    private mutating func after(_ seconds: Double, _ event: PartSupervisor.Event) -> [PartSupervisor.Action] {
        supervisor.handle(event, at: Instant(seconds: seconds))
    }

    /// Begins, and gives every part its first beat.
    private mutating func begin() {
        _ = after(0, .begin)
        for part in [.rounds, .sync] as [Part] { _ = after(0.5, .beat(part)) }
        _ = after(0.5, .able(gate))
    }

    /// Ticks four times a second, with the beats of those that work.
    private mutating func run(
        from: Double, to: Double, beating: [Part] = []
    ) -> [PartSupervisor.Action] {
        var actions: [PartSupervisor.Action] = []
        for step in 0..<Int((to - from) * 4) {
            let now = from + Double(step) / 4
            for part in beating { actions += after(now, .beat(part)) }
            actions += after(now, .tick)
        }
        return actions
    }

    @Test mutating func `starts every part, and is ready when the cameras can record`() {
        #expect(
            after(0, .begin) == [
                .start(gate, after: nil, ends: 0), .start(.rounds, after: nil, ends: 0),
                .start(.sync, after: nil, ends: 0),
            ])
        #expect(after(1, .beat(.sync)) == [])
        #expect(after(2, .beat(gate)) == [], "it works, and can't record yet: its models are missing, say")
        #expect(supervisor.statusText == "Not recording: gate; `checkpost status` says why.")
        #expect(after(3, .able(gate)) == [.ready])
        #expect(after(4, .able(gate)) == [])
        #expect(supervisor.statusText == "Recording: gate.")
    }

    @Test mutating func `does not call a camera recording that ended and has not said so again`() {
        _ = after(0, .begin)
        _ = after(1, .able(gate))
        _ = after(2, .ended(gate, .exited(status: 1)))
        #expect(supervisor.statusText.hasPrefix("Not recording"))
        _ = after(2.5, .tick)
        _ = after(3, .beat(gate))
        #expect(supervisor.statusText.hasPrefix("Not recording"))
        _ = after(4, .able(gate))
        #expect(supervisor.statusText == "Recording: gate.")
    }

    @Test mutating func `is ready without a camera that never can, so that the rest of the box is there`() {
        _ = after(0, .begin)
        _ = after(1, .ended(gate, .exited(status: 1)))
        let actions = run(from: 1, to: 40, beating: [.rounds, .sync])
        #expect(actions.contains(.ready))
    }

    @Test mutating func `starts a part that ended again at once, alone, and says so`() {
        begin()
        let told = after(10, .ended(.sync, .signalled(4)))
        guard case .raise(.sync, let alarm)? = told.first else {
            Issue.record("\(told)")
            return
        }
        #expect(alarm.message.contains("The part sync"))
        #expect(alarm.message.contains("signal 4 (a fault in the program)"))
        #expect(!alarm.isCritical)
        #expect(told.count == 1)
        #expect(after(10.1, .tick) == [])
        let why = "it was ended by signal 4 (a fault in the program)"
        #expect(after(10.25, .tick) == [.start(.sync, after: why, ends: 1)])
    }

    @Test mutating func `waits longer after every end, and starts short again when it ran well`() {
        begin()
        var pauses: [Double] = []
        var now = 10.0
        for _ in 0..<8 {
            _ = after(now, .ended(.sync, .exited(status: 1)))
            let ended = now
            while !after(now, .tick).contains(where: { if case .start(.sync, _, _) = $0 { true } else { false } }) {
                for part in [gate, .rounds] { _ = after(now, .beat(part)) }
                now += 0.1
            }
            pauses.append(((now - ended) * 10).rounded() / 10)
        }
        #expect(
            pauses.enumerated().allSatisfy { abs($1 - [0.2, 10, 20, 40, 80, 160, 300, 300][$0]) < 0.11 }, "\(pauses)")
        let cleared = run(from: now, to: now + 125, beating: [gate, .rounds, .sync])
        #expect(cleared.contains(.clear(.sync)))
        _ = after(now + 126, .ended(.sync, .exited(status: 1)))
        #expect(after(now + 126.25, .tick).count == 1)
    }

    @Test mutating func `lets no camera wait longer than 5 s, and calls for a person`() {
        begin()
        var now = 10.0
        for _ in 0..<20 {
            _ = after(now, .ended(gate, .signalled(11)))
            let started = run(from: now, to: now + 5.5, beating: [.rounds, .sync])
            #expect(started.contains { if case .start(Part.camera("gate"), _, _) = $0 { true } else { false } })
            now += 6
        }
        let alarm = supervisor.states[0].alarm
        #expect(alarm?.isCritical == true)
        #expect(alarm?.message.contains("20 times in a row") == true)
    }

    @Test mutating func `kills a part that owes its beat, and says that it hung`() {
        begin()
        let actions = run(from: 1, to: 31.5, beating: [.rounds, .sync])
        #expect(actions == [.kill(gate)])
        let told = after(31.5, .ended(gate, .signalled(9)))
        guard case .raise(_, let alarm)? = told.first else {
            Issue.record("\(told)")
            return
        }
        #expect(alarm.reason == "it hung: no work done for 30 s", "not the signal that it was killed by")
    }

    @Test mutating func `owes nobody a beat for the time that the whole machine stood still`() {
        begin()
        _ = after(1, .tick)
        #expect(after(500, .tick) == [])
        #expect(after(500.25, .tick) == [])
    }

    @Test mutating func `kills a part that hangs at its start`() {
        _ = after(0, .begin)
        let actions = run(from: 0, to: 62, beating: [gate, .rounds])
        #expect(actions.contains(.kill(.sync)))
        guard case .ending(_, let reason) = supervisor.states[2].phase else {
            Issue.record("\(supervisor.states[2].phase)")
            return
        }
        #expect(reason.hasPrefix("it hung at its start"))
    }

    @Test mutating func `kills a part that takes too much memory`() {
        begin()
        #expect(after(2, .memory(.sync, bytes: 100 << 20)) == [])
        #expect(after(3, .memory(.sync, bytes: 600 << 20)) == [.kill(.sync)])
        #expect(after(3.1, .memory(.sync, bytes: 700 << 20)) == [], "once")
    }

    @Test func `gives no part more than half of the machine's memory`() {
        #expect(PartBounds(.camera("gate"), machineBytes: 512 << 20).memoryBytes == 256 << 20)
    }

    @Test mutating func `feeds no watchdog when a camera that was killed does not go`() {
        begin()
        _ = run(from: 1, to: 31.5, beating: [.rounds, .sync])
        #expect(supervisor.isInOrder(at: Instant(seconds: 32)), "it has just been acted on")
        #expect(!supervisor.isInOrder(at: Instant(seconds: 45)))
    }

    @Test mutating func `feeds the watchdog when only the synchronization hangs in the kernel`() {
        begin()
        _ = run(from: 1, to: 310, beating: [gate, .rounds])
        #expect(supervisor.isInOrder(at: Instant(seconds: 400)))
    }

    @Test mutating func `stops all parts, kills the one that doesn't, and is finished when all are gone`() {
        begin()
        #expect(after(10, .stop) == [.terminate(gate), .terminate(.rounds), .terminate(.sync)])
        #expect(after(11, .ended(gate, .exited(status: 0))) == [])
        #expect(after(11, .ended(.rounds, .exited(status: 0))) == [])
        #expect(run(from: 11, to: 15) == [.kill(.sync)])
        #expect(after(15, .ended(.sync, .signalled(9))) == [.finished])
    }

    @Test mutating func `starts nothing any more while it stops`() {
        begin()
        _ = after(9.9, .ended(.sync, .exited(status: 1)))
        #expect(after(10, .stop) == [.terminate(gate), .terminate(.rounds)])
        #expect(run(from: 10, to: 12) == [])
    }
}

@Suite("A picture in hand", .timeLimit(.minutes(5)))
struct PictureInHandTests {
    private var hand = PictureInHand()

    @Test mutating func `is set aside when the part has ended over it twice`() {
        #expect(hand.take("a") == nil)
        hand.begin(after: "it hung")
        #expect(hand.take("a") == nil)
        hand.begin(after: "it hung")
        #expect(hand.take("a")?.contains("2 times: it hung") == true)
        #expect(hand.take("b") == nil)
    }

    @Test mutating func `is forgotten when thirty-two others came after it, and no sooner`() {
        func endOver(_ keys: ClosedRange<Int>) {
            for key in keys {
                _ = hand.take("\(key)")
                hand.begin(after: "it hung")
            }
        }
        endOver(0...32)
        var other = hand
        endOver(0...0)
        #expect(hand.take("0") == nil, "as if for the first time")
        _ = other.take("1")
        other.begin(after: "it hung")
        #expect(other.take("1") != nil)
    }

    @Test mutating func `is not blamed for what happened while the disk was written, or after it was answered for`() {
        _ = hand.take("a")
        hand.putDown()
        hand.begin(after: "it hung")
        _ = hand.take("a")
        hand.begin(after: "it hung")
        #expect(hand.take("a") == nil)
        hand.answered("a")
        _ = hand.take("a")
        hand.begin(after: "it hung")
        #expect(hand.take("a") == nil)
    }
}

@Suite("A part of the appliance", .timeLimit(.minutes(5)))
struct PartTests {
    @Test(arguments: [Part.camera("gate"), .rounds, .sync, .sms, .trigger, .console])
    func `is known by its name`(_ part: Part) {
        #expect(Part(name: part.name) == part)
    }

    @Test func `has no other names`() {
        #expect(Part(name: "camera") == nil)
        #expect(Part(name: "") == nil)
    }
}
