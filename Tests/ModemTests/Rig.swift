import Foundation
import Synchronization
import TestKit
import Testing

@testable import Modem

/// A scripted modem and a driver at work on it.
final class Rig: Sendable {
    private let events = Mutex<[ModemEvent]>([])
    private let modem: ScriptedModem
    private let timing: GSMModem.Timing
    private let second = Mutex<ModemDriver?>(nil)
    let pinMemory: PINMemoryFile

    var driver: ModemDriver { second.withLock { $0! } }

    /// Runs `body` with a started driver, and stops what it started.
    static func run(
        _ dialogue: String, pin: String? = nil, timing: GSMModem.Timing = .short,
        _ body: (Rig) async throws -> Void
    ) async throws {
        try await run(Dialogue(named: dialogue), pin: pin, timing: timing, body)
    }

    /// Runs `body` with a modem that says what `dialogue` says, and is ready and unremarkable otherwise.
    static func run(
        saying dialogue: String, pin: String? = nil, timing: GSMModem.Timing = .short,
        _ body: (Rig) async throws -> Void
    ) async throws {
        try await run(Dialogue(text: dialogue + "\n" + Dialogue.readyText), pin: pin, timing: timing, body)
    }

    private static func run(
        _ dialogue: Dialogue, pin: String?, timing: GSMModem.Timing, _ body: (Rig) async throws -> Void
    ) async throws {
        let rig = try Rig(dialogue, pin: pin, timing: timing)
        defer { rig.stop() }
        rig.driver.start()
        try await body(rig)
    }

    private init(_ dialogue: Dialogue, pin: String?, timing: GSMModem.Timing) throws {
        modem = try ScriptedModem(dialogue)
        self.timing = timing
        pinMemory = PINMemoryFile(path: modem.directory.appending(path: "pin").path)
        let driver = try makeDriver(pin: pin)
        second.withLock { $0 = driver }
    }

    func makeDriver(pin: String?) throws -> ModemDriver {
        var settings = GSMModem.Settings()
        settings.pin = pin
        settings.timing = timing
        var port = SerialPort.Settings()
        port.lockDirectory = modem.directory.path
        return try ModemDriver(
            source: .path(modem.path), port: port, settings: settings, pinMemory: pinMemory
        ) { [weak self] event in
            self?.events.withLock { $0.append(event) }
        }
    }

    /// Stops the driver as a box that stops does, and starts another one.
    func restart(pin: String? = nil) throws {
        driver.stop()
        let next = try makeDriver(pin: pin)
        second.withLock { $0 = next }
        next.start()
    }

    private func stop() {
        driver.stop()
        modem.stop()
    }

    var received: [String] { modem.received }
    var path: String { modem.path }

    /// How many ports are held.
    var locks: Int {
        let files = try? FileManager.default.contentsOfDirectory(atPath: modem.directory.path)
        return (files ?? []).count { $0.hasPrefix("LCK..") }
    }

    /// What was told of the port, in order.
    var troubles: [String] {
        events.withLock { $0.compactMap { if case .portTrouble(let trouble) = $0 { trouble } else { nil } } }
    }

    /// What stood in a text entry that was ended with Ctrl-Z, in order.
    var payloads: [String] {
        let all = received
        return all.indices.dropFirst().filter { all[$0 - 1].hasPrefix("AT+CMGS=") }.map { all[$0] }
            .filter { $0 != "ESC" && (!$0.hasPrefix("AT") || $0.contains("\r")) }
    }

    func count(_ command: String) -> Int { received.count { $0 == command } }

    /// Whether these came in this order, others between them or not.
    func sent(_ commands: String...) -> Bool {
        var rest = received[...]
        for command in commands {
            guard let index = rest.firstIndex(of: command) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }

    /// Whether `condition` comes true within half a minute, far more than it takes.
    func eventually(_ condition: () -> Bool) async -> Bool {
        for _ in 0..<3000 {
            if condition() { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    func isReady() async -> Bool { await eventually { self.driver.health.stage == .ready } }

    func send(_ text: String, whenReady: Bool = true) async -> SendResult {
        if whenReady { #expect(await isReady()) }
        return await driver.send(to: Conversation.number, text: text).result
    }

    /// The first event that `pick` takes, now or later.
    func event<Picked>(_ pick: (ModemEvent) -> Picked?) async -> Picked? {
        var picked: Picked?
        _ = await eventually {
            for event in self.events.withLock({ $0 }) where picked == nil { picked = pick(event) }
            return picked != nil
        }
        return picked
    }

    func alarm(_ alarm: ModemAlarm) async -> Bool { await event { $0 == .alarm(alarm) ? true : nil } ?? false }
}

extension GSMModem.Timing {
    /// Short waits where the modem answers; the waits for an answer stay long enough for a busy machine.
    static var short: GSMModem.Timing {
        var timing = GSMModem.Timing()
        timing.answer = .seconds(4)
        timing.slowAnswer = .seconds(4)
        timing.grace = .milliseconds(100)
        timing.prompt = .seconds(2)
        timing.submit = .seconds(3)
        timing.submitGrace = .milliseconds(200)
        timing.quiet = .milliseconds(30)
        timing.settle = .milliseconds(100)
        timing.simRetry = .milliseconds(20)
        timing.simRecheck = .milliseconds(50)
        timing.registrationPoll = .milliseconds(30)
        timing.registrationAlarm = .milliseconds(200)
        timing.registrationPatience = .milliseconds(600)
        timing.radioRestart = .milliseconds(50)
        timing.reopen = .milliseconds(50)
        timing.portAlarm = .milliseconds(200)
        timing.lastRung = .milliseconds(100)
        timing.longestLastRung = .milliseconds(200)
        timing.watchInterval = .milliseconds(200)
        timing.listInterval = .milliseconds(400)
        return timing
    }

    /// For modems that stay silent.
    static var impatient: GSMModem.Timing {
        var timing = short
        timing.answer = .seconds(1)
        timing.slowAnswer = .seconds(1)
        return timing
    }
}
