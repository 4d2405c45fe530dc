import Enforcement
import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import Storage
import Testing

@testable import Console

@Suite("A console that can't be served", .serialized, .timeLimit(.minutes(5)))
struct ConsoleTroubleTests {
    /// Serves a second console of the box until it has said what stands against it.
    private func alarm(_ rig: Rig, _ configure: (inout ConsoleConfiguration) -> Void) async throws -> Alarm? {
        var configuration = rig.console.configuration
        configure(&configuration)
        var log = Logger(label: "console-test")
        log.logLevel = .critical
        let (now, store) = (rig.clock.now, rig.store)
        let console = Console(
            configuration: configuration, post: rig.console.post, otherPost: "BNP-A", store: store,
            photos: PhotoStore(folder: rig.folder), host: rig.host, live: LivePictures(), log: log, clock: { now })
        let group = ServiceGroup(configuration: .init(services: [.init(service: ConsoleService(console))], logger: log))
        async let running: Void = group.run()
        defer { _ = try? store.alarms.clear(ConsoleTrouble.key, at: now) }
        for _ in 0..<300 {
            if let alarm = try store.alarms.list().first(where: { $0.key == ConsoleTrouble.key }) {
                await group.triggerGracefulShutdown()
                try await running
                return alarm
            }
            try await Task.sleep(for: .milliseconds(100))  // what another task writes down is waited for
        }
        await group.triggerGracefulShutdown()
        try await running
        return nil
    }

    @Test func `is an alarm that says who stands against it and what to do`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let port = rig.port
            let taken = try await alarm(rig) { $0.port = port }
            #expect(taken?.severity == .critical)
            #expect(taken?.message.contains("another program listens at 127.0.0.1:\(port)") == true, "\(taken as Any)")
            #expect(taken?.hint?.contains("ss -ltnp") == true)
            let lost = try await alarm(rig) { ($0.certificatePath, $0.keyPath) = ("/nowhere.pem", "/nowhere.key") }
            #expect(lost?.message.contains("/nowhere.pem can't be read") == true, "\(lost as Any)")
            let open = try await alarm(rig) { $0.address = "0.0.0.0" }
            #expect(open?.message.contains("other devices could read the passwords") == true, "\(open as Any)")
        }
    }

    @Test func `is over when it is served`() async throws {
        let rig = try await Rig()
        try rig.store.alarms.raise(ConsoleTrouble.key, .critical, "x", hint: "y", at: rig.clock.now)
        await rig.stop(keepingFolder: true)
        let again = try await Rig(folder: rig.folder)
        #expect(try again.store.alarms.list().filter { $0.key == ConsoleTrouble.key }.isEmpty)
        await again.stop()
    }
}
