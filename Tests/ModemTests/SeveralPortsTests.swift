import Foundation
import Synchronization
import TestKit
import Testing

@testable import Modem

@Suite("A modem with several ports", .serialized, .timeLimit(.minutes(10)))
struct SeveralPortsTests {
    /// What a stick's port for diagnosis and its receiver of positions say.
    private static let deaf = "otherwise\n  silence\n"
    private static let positions = "otherwise\n  < $GPGGA,101530.00,2810.1,N,08130.2,E,1,05,1.5,180.0,M,,M,,*5C\n"

    private static var probe: PortProbe {
        var probe = PortProbe()
        (probe.patience, probe.quiet) = (.milliseconds(300), .milliseconds(30))
        return probe
    }

    private static func driver(
        _ plugged: PluggedPorts, alarms: @escaping @Sendable (ModemAlarm) -> Void = { _ in }
    ) throws -> ModemDriver {
        var settings = GSMModem.Settings()
        settings.timing = .short
        var port = SerialPort.Settings()
        port.lockDirectory = plugged.directory.path
        return try ModemDriver(
            source: .anyIn(directory: plugged.links), port: port, settings: settings,
            portMemory: memory(plugged), probe: probe
        ) { event in
            if case .alarm(let alarm) = event { alarms(alarm) }
        }
    }

    private static func memory(_ plugged: PluggedPorts) -> PortMemoryFile {
        PortMemoryFile(path: plugged.directory.appending(path: "modem.port").path)
    }

    @Test func `is found at the last, used without a reset of the others, and asked first the next time`() async throws
    {
        let plugged = try PluggedPorts(
            [Self.deaf, Self.positions, Dialogue.readyText].map { try Dialogue(text: $0) })
        defer { plugged.stop() }
        let raised = Mutex<[ModemAlarm]>([])
        let start = Uptime.now()
        let driver = try Self.driver(plugged) { alarm in raised.withLock { $0.append(alarm) } }
        driver.start()
        #expect(await Self.isReady(driver))
        #expect(await driver.send(to: Conversation.number, text: "hi").result == .accepted(references: [41]))
        #expect(Uptime.now() - start < .seconds(15), "a few seconds a port")
        driver.stop()
        for port in plugged.ports.prefix(2) { #expect(Set(port.received) == ["AT"]) }
        #expect(raised.withLock { $0 } == [])
        #expect(Self.memory(plugged).read()?.hasSuffix("if02") == true)

        let asked = plugged.ports.prefix(2).map(\.received.count)
        let again = try Self.driver(plugged)
        again.start()
        #expect(await Self.isReady(again))
        again.stop()
        #expect(plugged.ports.prefix(2).map(\.received.count) == asked, "the others were left alone")
    }

    @Test func `none of which answers is an alarm, and none is reset`() async throws {
        let plugged = try PluggedPorts([Self.deaf, Self.positions].map { try Dialogue(text: $0) })
        defer { plugged.stop() }
        let raised = Mutex<[ModemAlarm]>([])
        let driver = try Self.driver(plugged) { alarm in raised.withLock { $0.append(alarm) } }
        driver.start()
        for _ in 0..<3000 where raised.withLock(\.isEmpty) { try await Task.sleep(for: .milliseconds(10)) }
        driver.stop()
        #expect(raised.withLock { $0 } == [.noPortAnswers])
        for port in plugged.ports { #expect(Set(port.received) == ["AT"]) }
    }

    @Test func `that hangs is reset at the port that was the modem's, and there only`() async throws {
        let hanging = String(repeating: "on AT\n  silence\n", count: 4) + "on ATQ0V1\n  silence\n"
        let plugged = try PluggedPorts(
            [Self.deaf, hanging + "on AT+*\n  silence\non AT\n  silence\n"].map { try Dialogue(text: $0) })
        defer { plugged.stop() }
        Self.memory(plugged).write(plugged.links + "/usb-stick-if01")
        var settings = GSMModem.Settings()
        settings.timing = .hasty
        var port = SerialPort.Settings()
        port.lockDirectory = plugged.directory.path
        let driver = try ModemDriver(
            source: .anyIn(directory: plugged.links), port: port, settings: settings,
            portMemory: Self.memory(plugged), probe: Self.probe
        ) { _ in }
        driver.start()
        for _ in 0..<3000 where !plugged.ports[1].received.contains("AT+CFUN=1,1") {
            try await Task.sleep(for: .milliseconds(10))
        }
        driver.stop()
        #expect(plugged.ports[1].received.contains("AT+CFUN=1,1"))
        #expect(Set(plugged.ports[0].received) == ["AT"])
    }

    @Test func `is found though it gives numbers, and what stays silent is asked twice and no more`() throws {
        for (dialogue, isModem) in [("numeric\n" + Dialogue.readyText, true), (Self.deaf, false)] {
            let plugged = try PluggedPorts([try Dialogue(text: dialogue)])
            defer { plugged.stop() }
            var settings = SerialPort.Settings()
            settings.lockDirectory = plugged.directory.path
            let port = try SerialPort(path: plugged.ports[0].path, settings: settings)
            defer { port.close() }
            #expect(try Self.probe.answers(port) == isModem)
            #expect(plugged.ports[0].received.filter { $0 == "AT" }.count == (isModem ? 1 : 2))
        }
    }

    /// A box may stop at any moment of the search, also over an escape.
    @Test(arguments: 0..<6) func `is found no more once the search is called off`(looks: Int) throws {
        let plugged = try PluggedPorts([try Dialogue(text: Self.deaf)])
        defer { plugged.stop() }
        var settings = SerialPort.Settings()
        settings.lockDirectory = plugged.directory.path
        let port = try SerialPort(path: plugged.ports[0].path, settings: settings)
        defer { port.close() }
        var left = looks
        let isModem = try Self.probe.answers(port) {
            left -= 1
            return left >= 0
        }
        #expect(!isModem && left == -1, "it is asked no more than once whether to go on")
    }

    @Test func `is given more time to answer with every round, up to four seconds`() throws {
        let plugged = try PluggedPorts([])
        defer { plugged.stop() }
        // A file is no port: nothing is waited for.
        try Data().write(to: URL(filePath: plugged.links + "/usb-stick-if00"))
        var settings = SerialPort.Settings()
        settings.lockDirectory = plugged.directory.path
        var finder = PortFinder(source: .anyIn(directory: plugged.links), settings: settings, memory: nil)
        for seconds in [2, 4, 4] {
            guard case .none(.unusable, _) = finder.find(while: { true }) else {
                Issue.record("a file was taken for a port")
                return
            }
            #expect(finder.probe.patience == .seconds(seconds))
        }
    }

    @Test func `is looked for at no more than 32 ports`() throws {
        let plugged = try PluggedPorts([])
        defer { plugged.stop() }
        for index in 10..<50 { try Data().write(to: URL(filePath: plugged.links + "/usb-\(index)")) }
        let paths = PortSource.anyIn(directory: plugged.links).paths(first: plugged.links + "/usb-41")
        #expect(paths.count == 32 && paths[0].hasSuffix("usb-41") && paths[31].hasSuffix("usb-40"))
    }

    @Test func `is remembered by its path, and by nothing that is none`() throws {
        let plugged = try PluggedPorts([])
        defer { plugged.stop() }
        let memory = Self.memory(plugged)
        #expect(memory.read() == nil)
        memory.write("/dev/ttyUSB2")
        #expect(memory.read() == "/dev/ttyUSB2")
        for (count, isRead) in [(4096, true), (4097, false)] {
            try Data(repeating: 65, count: count).write(to: URL(filePath: memory.path))
            #expect((memory.read() != nil) == isRead)
        }
        try Data(" \n".utf8).write(to: URL(filePath: memory.path))
        #expect(memory.read() == nil)
    }

    private static func isReady(_ driver: ModemDriver) async -> Bool {
        for _ in 0..<3000 {
            if driver.health.stage == .ready { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}
