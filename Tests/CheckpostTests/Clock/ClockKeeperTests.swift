import Enforcement
import Foundation
import Logging
import Storage
import Synchronization
import Testing

@testable import Appliance

/// A machine whose clock a test sets.
private final class TestMachine: Sendable {
    private let state = Mutex(
        (boot: BootClock(boot: "run", startedAt: Instant(milliseconds: 0)), uptime: 600.0, service: false))

    var machine: HostClockReader.Machine {
        HostClockReader.Machine(
            boot: { self.state.withLock { $0.boot } },
            uptime: { self.state.withLock { Instant(milliseconds: 0) + .seconds($0.uptime) } },
            isSynchronised: { self.state.withLock { $0.service } })
    }

    var boot: BootClock { state.withLock { $0.boot } }
    func begin(_ boot: BootClock) { state.withLock { $0.boot = boot } }
    func pass(_ seconds: Double) { state.withLock { $0.uptime += seconds } }

    /// The time service sets the clock.
    func serve(startedAt: Instant) {
        state.withLock {
            $0.boot.startedAt = startedAt
            $0.service = true
        }
    }
}

@Suite("The watch over the clock", .timeLimit(.minutes(5)))
struct ClockKeeperTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let machine = TestMachine()
    private let keeper: ClockKeeper
    private let now = Instant(milliseconds: 1_795_255_200_000)

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder["checkpost.sqlite"].path)
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        keeper = ClockKeeper(
            reader: HostClockReader(store: store, machine: machine.machine), store: store,
            alarms: AlarmBoard(store: store, log: log), log: log)
    }

    private func record(secondsAfterStart seconds: Double) throws -> UUID {
        let own = machine.boot
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "", vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: own.startedAt + .seconds(seconds), clockState: .untrusted,
            stampedBy: own, origin: .camera)
        try store.passages.record(passage, at: passage.recordedAt)
        return passage.clientID
    }

    private var alarms: [String] { get throws { try store.alarms.list().map(\.key) } }

    private func passage(_ id: UUID) throws -> Passage {
        try #require(try store.passages.passage(clientID: id)).passage
    }

    @Test func `puts 1970 right when the time service comes, and takes the step down`() throws {
        keeper.look(at: now)
        #expect(try alarms == ["clock"])
        let id = try record(secondsAfterStart: 300)
        keeper.look(at: now)
        #expect(try passage(id).recordedAt == Instant(milliseconds: 300_000))
        machine.serve(startedAt: now - .seconds(600))
        keeper.look(at: now)
        #expect(try passage(id).recordedAt == now - .seconds(300))
        #expect(try passage(id).clockState == .synchronised)
        #expect(try alarms.isEmpty)
        #expect(
            try store.clock.steps() == [
                ClockStep(at: now, moved: now - .seconds(600) - Instant(milliseconds: 0), wasBelieved: false)
            ])
    }

    @Test func `puts times right by the server where there is no time service`() throws {
        let id = try record(secondsAfterStart: 300)
        let start = BootClock(boot: "run", startedAt: now - .seconds(600))
        try store.clock.told(HostClock.ServerTime(start: start, askedAt: Instant(milliseconds: 590_000)), at: now)
        keeper.look(at: now)
        #expect(try passage(id).recordedAt == now - .seconds(300))
        #expect(try store.clock.formerTime(ofPassage: id)?.knownBy == .server)
        // The clock itself is as wrong as before.
        #expect(try alarms == ["clock"])
    }

    @Test func `waits a day for the time, and not for that of a run that is over`() throws {
        let old = try record(secondsAfterStart: 10)
        machine.begin(BootClock(boot: "next run", startedAt: Instant(milliseconds: 0)))
        let new = try record(secondsAfterStart: 20)
        keeper.look(at: now)
        #expect(try passage(old).stampedBy == nil)
        #expect(try passage(new).stampedBy != nil)
        machine.pass(86_400)
        keeper.look(at: now)
        #expect(try passage(new).stampedBy == nil)
        #expect(try passage(new).clockState == .untrusted)
    }

    @Test func `warns of a clock that was set while it counted as right`() throws {
        machine.serve(startedAt: now - .seconds(600))
        keeper.look(at: now)
        #expect(try alarms.isEmpty)
        machine.serve(startedAt: now - .seconds(600) + .hours(1))
        keeper.look(at: now)
        #expect(try alarms == ["clock.step"])
        // What a time service slews is no step.
        machine.serve(startedAt: now - .seconds(600) + .hours(1) + .milliseconds(900))
        keeper.look(at: now)
        #expect(try store.clock.steps().map(\.moved) == [.hours(1)])
    }

    @Test func `believes neither the service nor the server when they are a day apart`() throws {
        machine.serve(startedAt: now - .seconds(600))
        let start = BootClock(boot: "run", startedAt: now - .seconds(600) - .hours(24))
        try store.clock.told(HostClock.ServerTime(start: start, askedAt: Instant(milliseconds: 590_000)), at: now)
        keeper.look(at: now)
        let alarm = try #require(try store.alarms.list().first)
        #expect(alarm.key == "clock")
        #expect(alarm.severity == .critical)
        #expect(alarm.message.contains("24 h 00 min ahead of the server's"))
    }
}
