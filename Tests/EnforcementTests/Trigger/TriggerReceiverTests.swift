import TestKit
import Testing

@testable import Enforcement

@Suite("What comes from a trigger", .timeLimit(.minutes(2)))
struct TriggerReceiverTests {
    private let start = Instant(milliseconds: 1_795_255_200_000)

    private func event(
        _ number: UInt16, boot: UInt16 = 7, overflow: UInt16 = 0, age: UInt32 = 0, speed: UInt16? = nil
    ) -> TriggerFrame {
        .event(
            name(number, boot: boot), overflow: overflow, ageMilliseconds: age, lane: 1, direction: .forward,
            speedTenths: speed)
    }

    private func name(_ number: UInt16, boot: UInt16 = 7) -> TriggerEvent.Name { .init(boot: boot, number: number) }

    /// Takes a frame, and keeps what is to be kept.
    private func take(
        _ frames: [TriggerFrame], into receiver: inout TriggerReceiver, at seconds: Double = 0
    ) -> [TriggerReceiver.Action] {
        let now = start + .seconds(seconds)
        var all: [TriggerReceiver.Action] = []
        for frame in frames {
            let actions = receiver.handle(.received(frame.bytes, at: now), at: now)
            all += actions
            for case .keep(let event) in actions { all += receiver.handle(.kept(event.name), at: now) }
        }
        return all
    }

    @Test func `is kept with the time that its age says, and acknowledged only then`() {
        var receiver = TriggerReceiver()
        #expect(receiver.handle(.opened, at: start) == [.write(.ask)])
        let now = start + .seconds(10)
        #expect(
            receiver.handle(.received(event(1, age: 2500, speed: 432).bytes, at: now), at: start) == [
                .keep(
                    TriggerEvent(
                        name: name(1), at: start + .seconds(7.5), lane: 1, direction: .forward, speedKmh: 43.2))
            ])
        #expect(receiver.handle(.received(event(1).bytes, at: now), at: start) == [], "it is being kept")
        #expect(receiver.handle(.kept(name(1)), at: start) == [.write(.acknowledged(name(1)))])
        #expect(receiver.counts.events == 1 && receiver.lastFrameAt == now)
    }

    @Test func `is acknowledged again and counted once when it comes twice, also after a restart of the box`() {
        var receiver = TriggerReceiver()
        #expect(take([event(1), event(1)], into: &receiver).last == .write(.acknowledged(name(1))))
        #expect(receiver.counts.events == 1 && receiver.counts.duplicates == 1)
        var later = TriggerReceiver(known: [name(1)])
        #expect(take([event(1)], into: &later) == [.write(.acknowledged(name(1)))])
        #expect(later.counts.events == 0 && later.counts.duplicates == 1)
        #expect(take([event(1, boot: 8)], into: &later).count == 2, "the same number of another run is another vehicle")
        #expect(later.counts.events == 1)
    }

    @Test func `is asked for again when it could not be kept`() {
        var receiver = TriggerReceiver()
        _ = receiver.handle(.received(event(1).bytes, at: start), at: start)
        #expect(receiver.handle(.notKept(name(1)), at: start) == [], "without an answer the device says it again")
        #expect(take([event(1)], into: &receiver).count == 2)
        #expect(receiver.counts.events == 1 && receiver.counts.lost == 0)
    }

    @Test func `is missed when its number never comes, and told after a minute`() {
        var receiver = TriggerReceiver()
        _ = take([event(1), event(5)], into: &receiver)
        #expect(receiver.handle(.tick, at: start + .seconds(59)) == [])
        _ = take([event(3)], into: &receiver, at: 59)
        #expect(receiver.handle(.tick, at: start + .seconds(60)) == [.raise(.lost(2))], "3 came late, 2 and 4 never")
        #expect(receiver.counts.lost == 2 && receiver.counts.events == 3)
        #expect(receiver.handle(.tick, at: start + .seconds(61)) == [], "once")
        _ = take([event(1000)], into: &receiver, at: 62)
        #expect(receiver.counts.lost == 2 + 994 - 64, "no more than 64 are waited for")
        var old = TriggerReceiver(known: [name(65_534)], silentAfter: nil)
        _ = take([event(65_535), event(0), event(1)], into: &old)
        #expect(old.handle(.tick, at: start + .minutes(5)) == [] && old.counts.events == 3, "numbers begin anew")
    }

    @Test func `has no gap where the device begins anew`() {
        var receiver = TriggerReceiver(known: [name(412)])
        _ = take([event(1, boot: 9), event(2, boot: 9)], into: &receiver)
        #expect(receiver.handle(.tick, at: start + .minutes(5)).contains(.raise(.lost(1))) == false)
        #expect(receiver.counts.lost == 0)
    }

    @Test func `had no room in the device: that is counted, and told once a minute at most`() {
        var receiver = TriggerReceiver(silentAfter: nil)
        _ = take([.heartbeat(name(3), overflow: 20)], into: &receiver)
        #expect(receiver.counts.overflow == 0, "before this run of the box: it was told then")
        _ = take([event(4, overflow: 25)], into: &receiver)
        #expect(receiver.handle(.tick, at: start) == [.raise(.overflow(5))])
        _ = take([event(5, overflow: 26)], into: &receiver)
        #expect(receiver.handle(.tick, at: start + .seconds(30)) == [])
        #expect(receiver.handle(.tick, at: start + .seconds(60)) == [.raise(.overflow(6))])
        _ = take([.heartbeat(name(0, boot: 8), overflow: 2)], into: &receiver)
        #expect(receiver.counts.overflow == 8, "a new run counts from 0")
        _ = take([.heartbeat(name(0, boot: 8), overflow: 2)], into: &receiver)
        #expect(receiver.counts.overflow == 8)
    }

    @Test func `is refused when its checksum is wrong, and noise is not answered without end`() {
        var receiver = TriggerReceiver()
        var bytes = event(1).bytes
        bytes[4] ^= 1
        #expect(receiver.handle(.received(bytes, at: start), at: start) == [.write(.refused(.damaged))])
        let answers = (0..<100).flatMap { _ in receiver.handle(.received(bytes, at: start), at: start) }
        #expect(answers.count == 4, "five at once")
        #expect(receiver.counts.damaged == 101 && receiver.counts.events == 0)
        #expect(receiver.handle(.received(bytes, at: start), at: start + .seconds(1)).count == 1)
        #expect(
            take([.acknowledged(name(1)), .ask], into: &receiver) == [], "a line of two wires brings the own words back"
        )
    }

    @Test func `is told when nothing comes for long, once, until something comes`() {
        var receiver = TriggerReceiver(silentAfter: .seconds(60))
        #expect(receiver.handle(.tick, at: start) == [], "the port isn't open")
        _ = receiver.handle(.opened, at: start)
        #expect(receiver.handle(.tick, at: start + .seconds(59)) == [] && !receiver.hasHeard)
        #expect(
            receiver.handle(.tick, at: start + .seconds(60)) == [.write(.ask), .raise(.silent(.seconds(60)))])
        #expect(receiver.isSilent && receiver.handle(.tick, at: start + .seconds(61)) == [])
        #expect(
            take([.heartbeat(name(0), overflow: 0)], into: &receiver, at: 62) == [.clear(.silent(.seconds(0)))])
        #expect(receiver.hasHeard && !receiver.isSilent)
        _ = receiver.handle(.tick, at: start + .seconds(200))
        #expect(receiver.handle(.closed, at: start + .seconds(201)) == [.clear(.silent(.seconds(0)))])
        #expect(receiver.handle(.tick, at: start + .seconds(500)) == [], "a port that is gone is told of by itself")
        var quiet = TriggerReceiver(silentAfter: nil)
        _ = quiet.handle(.opened, at: start)
        #expect(quiet.handle(.tick, at: start + .hours(24)) == [])
    }

    @Test func `is dropped beyond what any road brings, acknowledged and told`() {
        var receiver = TriggerReceiver()
        let actions = take((1...150).map { event($0) }, into: &receiver)
        #expect(receiver.counts.events == 100 && receiver.counts.flooded == 50)
        #expect(actions.count { if case .write(.acknowledged) = $0 { true } else { false } } == 150)
        #expect(receiver.handle(.tick, at: start) == [.raise(.flood(50))])
        _ = take((151...200).map { event($0) }, into: &receiver, at: 10)
        #expect(receiver.counts.events == 150, "ten a second")
        #expect(receiver.counts.lost == 0 && receiver.counts.duplicates == 0)
    }

    @Test func `waits at the device as long as the disk takes nothing, whatever comes how often`() {
        var receiver = TriggerReceiver()
        for second in 0..<60 {
            let now = start + .seconds(Double(second))
            for number in UInt16(1)...64 {
                let actions = receiver.handle(
                    .received(event(number, age: UInt32(second) * 1000).bytes, at: now), at: now)
                for case .keep(let event) in actions { _ = receiver.handle(.notKept(event.name), at: now) }
                #expect(!actions.contains(.write(.acknowledged(name(number)))))
            }
        }
        _ = take((1...64).map { event($0, age: 60_000) }, into: &receiver, at: 60)
        #expect(receiver.counts.events == 64 && receiver.counts.flooded == 0)
    }

    @Test func `comes through when the box was off for hours`() {
        var receiver = TriggerReceiver()
        // A vehicle every 15 seconds of eight hours.
        _ = take((1...1920).map { event($0, age: (1920 - UInt32($0)) * 15_000) }, into: &receiver)
        #expect(receiver.counts.events == 1920 && receiver.counts.flooded == 0)
    }

    @Test func `is not missing after a restart, when the last one on record was sent once more`() {
        var receiver = TriggerReceiver(known: [7, 9, 10, 8].map { name($0) })
        _ = take([event(11)], into: &receiver)
        _ = receiver.handle(.tick, at: start + .minutes(2))
        #expect(receiver.counts.lost == 0)
    }

    /// Both ends over a line that drops, damages and repeats: every vehicle is kept once, at its time.
    @Test(arguments: 1...20)
    func `is kept once each over a bad line`(_ round: UInt64) {
        var random = SeededGenerator(seed: round)
        var (receiver, device) = (TriggerReceiver(), TriggerDevice(boot: UInt16(round)))
        var (kept, passed): ([TriggerEvent], [Instant]) = ([], [])
        func damaged(_ frame: TriggerFrame) -> [UInt8] {
            var bytes = frame.bytes
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return []
            case 1: bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            case 2: bytes += bytes
            default: break
            }
            return bytes
        }
        for step in 0..<6000 {
            let now = start + .milliseconds(Int64(step) * 50)
            var said = device.handle(.tick, at: now)
            if passed.count < 60, step % 60 == 0 {
                passed.append(now)
                said += device.handle(.vehicle(lane: 1, direction: nil, speedKmh: 40), at: now)
            }
            for frame in said {
                for action in receiver.handle(.received(damaged(frame), at: now), at: now) {
                    var actions = [action]
                    if case .keep(let event) = action {
                        // One time in five the disk takes nothing.
                        if Int.random(in: 0..<5, using: &random) == 0 {
                            actions = receiver.handle(.notKept(event.name), at: now)
                        } else {
                            kept.append(event)
                            actions = receiver.handle(.kept(event.name), at: now)
                        }
                    }
                    for case .write(let answer) in actions {
                        _ = device.handle(.received(damaged(answer)), at: now)
                    }
                }
            }
        }
        #expect(kept.sorted { $0.name.number < $1.name.number }.map(\.at) == passed)
        #expect(device.waitingCount == 0 && receiver.counts.events == 60 && receiver.counts.flooded == 0)
    }
}
