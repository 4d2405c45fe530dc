import Enforcement
import Foundation
import Modem
import Storage
import Synchronization
import TestKit
import Testing

@testable import Appliance

@Suite("A technician's test of SMS", .serialized, .timeLimit(.minutes(5)))
struct SMSTestTests {
    /// Takes every text, and the network delivers it.
    private static let delivering = """
        on AT+CMGS=*
          prompt
          < +CMGS: 41
          < OK
          < +CDS: 26
          raw 07917799082100F006290D91799718325476F8621112510503326211125115033200\\r\\n

        """

    private let folder: TemporaryFolder
    private let store: Store
    private let said = Said()

    private final class Said: Sendable {
        let texts = Mutex<[String]>([])
    }

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder["checkpost.sqlite"].path)
    }

    private func send(on device: String, folder: String, store: Store) async throws -> StoredMessage {
        var configuration = Configuration()
        configuration.dataFolder = folder
        let modem = Configuration.Modem(device: device)
        let test = SMSTest(configuration, modem: modem, store: store) { [said] progress in
            said.texts.withLock {
                switch progress {
                case .handedToAppliance: $0.append("handed over")
                case .modemReady: $0.append("ready")
                case .messageLost: $0.append("lost")
                }
            }
        }
        return try await test.send(to: #require(PhoneNumber(FallbackRig.gateway)), text: "hello")
    }

    @Test func `has the modem itself while no appliance runs, and waits for the report of delivery`() async throws {
        let modem = try ScriptedModem(Dialogue(text: FallbackRig.ready + Self.delivering))
        defer { modem.stop() }
        let message = try await send(on: modem.path, folder: folder.url.path, store: store)
        #expect(message.state == .delivered && message.handOvers == 1)
        #expect(modem.payloads == [try FallbackRig.pdu(of: "hello")])
        #expect(said.texts.withLock { $0 } == ["ready"])
    }

    @Test func `says why the network refuses it, and costs nothing then`() async throws {
        let modem = try ScriptedModem(
            Dialogue(
                text: FallbackRig.ready + """
                    on AT+CMGS=*
                      prompt
                      < +CMS ERROR: 8

                    """))
        defer { modem.stop() }
        let message = try await send(on: modem.path, folder: folder.url.path, store: store)
        #expect(message.state == .failed && message.handOvers == 0)
        #expect(message.reason?.contains("+CMS ERROR 8") == true)
    }

    @Test func `is left to the appliance that runs`() async throws {
        let rig = try FallbackRig(Self.delivering)
        let lock = try RunLock(folder: rig.folder.url.path)
        #expect(try await rig.isReady())
        // A device that is none: only the appliance's modem can send it.
        let message = try await send(on: "/dev/null", folder: rig.folder.url.path, store: rig.store)
        withExtendedLifetime(lock) {}
        try await rig.stop()
        #expect(message.state == .delivered)
        #expect(rig.payloads == [try FallbackRig.pdu(of: "hello")])
        #expect(said.texts.withLock { $0 } == ["handed over"])
    }
}
