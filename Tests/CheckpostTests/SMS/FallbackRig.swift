import Enforcement
import Foundation
import Logging
import Modem
import ServiceLifecycle
import Storage
import Synchronization
import TestKit
import Testing

@testable import Appliance

/// The fallback over a real database and a modem on a pseudo-terminal, with a clock and a link that a test turns.
final class FallbackRig: Sendable {
    /// 2026-11-21T10:00:00Z: when the link was lost, unless a test says otherwise.
    static let start = Instant(milliseconds: 1_795_255_200_000)
    static let gateway = "+9779812345678"

    /// What a modem says that has a SIM, a network and nothing against sending.
    static let ready =
        Dialogue.ready + """
            on AT+COPS?
              < +COPS: 0,0,"NTC",2
              < OK
            on AT+CSCA?
              < +CSCA: "+9779851028801",145
              < OK

            """

    /// Takes every text.
    static let accepting = """
        on AT+CMGS=*
          prompt
          < +CMGS: 41
          < OK

        """

    private final class Outside: DataLink {
        let now = Mutex(FallbackRig.start)
        let sight = Mutex(LinkSight.unknown)

        func sight(at now: Instant) -> LinkSight { sight.withLock { $0 } }
    }

    let folder: TemporaryFolder
    let store: Store
    let modem: ScriptedModem
    let fallback: SMSFallback
    private let outside: Outside
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    init(
        _ dialogue: String, gateway: String? = FallbackRig.gateway,
        _ configure: (inout SMSFallback.Settings) -> Void = { _ in }, probe: Store.Probe? = nil
    ) throws {
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let outside = Outside()
        let folder = try TemporaryFolder()
        let modem = try ScriptedModem(Dialogue(text: Self.ready + dialogue))
        try FreshDatabase.place(at: folder["checkpost.sqlite"].path) { try Store(path: $0).close() }
        store = try Store(path: folder["checkpost.sqlite"].path, probe: probe)
        var settings = SMSFallback.Settings(
            checkpostCode: "BNP-A", gatewayNumber: gateway.flatMap { PhoneNumber($0) }, phoneSuffix: "4321",
            device: modem.path)
        configure(&settings)
        var modemSettings = GSMModem.Settings()
        modemSettings.timing.submit = .seconds(2)
        modemSettings.timing.settle = .milliseconds(100)
        modemSettings.timing.quiet = .milliseconds(30)
        var port = SerialPort.Settings()
        port.lockDirectory = modem.directory.path
        fallback = try SMSFallback(
            settings: settings, store: store, link: outside, alarms: AlarmBoard(store: store, log: log), log: log,
            clock: { outside.now.withLock { $0 } },
            makeModem: {
                try ModemDriver(source: .path(modem.path), port: port, settings: modemSettings, onEvent: $0)
            })
        (self.folder, self.modem, self.outside) = (folder, modem, outside)
        let group = ServiceGroup(services: [fallback], logger: log)
        self.group = group
        running = Task { try await group.run() }
    }

    /// Stops what it started, as SIGTERM does.
    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await running.value
        modem.stop()
    }

    // MARK: Outside

    var now: Instant { outside.now.withLock { $0 } }
    func advance(_ span: TimeSpan) { outside.now.withLock { $0 = $0 + span } }
    func loseLink(since moment: Instant = start) { outside.sight.withLock { $0 = .offline(since: moment) } }
    func findLink() { outside.sight.withLock { $0 = .online } }
    func see(_ sight: LinkSight) { outside.sight.withLock { $0 = sight } }

    @discardableResult
    func record(_ plate: String, clock: ClockState = .synchronised) throws -> Passage {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: "BNP-A",
            recordedAt: now, clockState: clock, confidence: 0.9, origin: .camera)
        try store.passages.record(passage, at: now)
        return passage
    }

    /// Three vehicles, each in a text of its own, which went out.
    func tellThree() async throws {
        for count in 1...3 {
            try record("BA 1 PA \(count)")
            advance(.minutes(6))
            #expect(try await eventually { try states() == Array(repeating: .sent, count: count) })
        }
    }

    // MARK: What happened

    /// The texts' PDUs that the modem was given, in order.
    var payloads: [String] { modem.payloads }

    static func text(of passage: Passage) -> String {
        "V1|BNP-A|\(passage.plate.compact)|CAR|\(passage.recordedAt.epochSeconds)|4321"
    }

    static func pdu(of text: String) throws -> String {
        try SMSSubmit(to: #require(PhoneNumber(gateway)), text: text).parts[0].hex
    }

    static func pdus(of passages: [Passage]) throws -> [String] { try passages.map { try pdu(of: text(of: $0)) } }

    func states() throws -> [MessageState] { try store.messages.list().map(\.state).reversed() }

    /// Whether it comes true within a minute, far more than it takes.
    func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
        try await TestKit.eventually(60, condition)
    }

    func isReady() async throws -> Bool { try await eventually { fallback.modem.health.stage == .ready } }
}

extension ScriptedModem {
    /// The texts' PDUs that it was given, in order.
    var payloads: [String] {
        let all = received
        return all.indices.dropFirst().filter { all[$0 - 1].hasPrefix("AT+CMGS=") }.map { all[$0] }
    }
}
