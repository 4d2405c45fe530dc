import Enforcement
import Foundation
import Storage
import Testing

@testable import Appliance

@Suite("The self-test", .timeLimit(.minutes(10)))
struct SelfTestTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["incoming", "data"] {
            try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
        }
    }

    private func run(_ options: [String], more: String = "") async throws -> (
        status: Int32, findings: [String: SelfTestFinding], result: Program.Result
    ) {
        let path = try folder.write(PostFile.text + more, to: "checkpost.toml").path
        let result = try await Program.run(["self-test", "--json", "--config", path] + options)
        let findings = try result.output.split(separator: "\n").map {
            try JSONDecoder().decode(SelfTestFinding.self, from: Data($0.utf8))
        }
        return (result.status, Dictionary(uniqueKeysWithValues: findings.map { ($0.check, $0) }), result)
    }

    @Test func `reads a known plate, writes to the disk, and says what isn't there`() async throws {
        let (_, findings, result) = try await run([])
        #expect(findings["plate"]?.outcome == .passed, "\(result)")
        #expect(findings["database"]?.outcome == .passed && findings["disk"]?.outcome == .passed, "\(result)")
        for check in ["camera.gate", "modem", "server", "sound"] {
            #expect(findings[check]?.outcome == .absent, "\(check)")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder["data"].path) == [], "it leaves nothing behind")
    }

    @Test func `says what failed and what to do, and exits with 1`() async throws {
        let more = """
            [modem]
            device = "/dev/checkpost-no-modem"
            [sms]
            gateway_number = "+9779800000000"
            [reader]
            models = "\(folder["nowhere"].path)"
            """
        let (status, findings, _) = try await run(
            ["--only", "plate", "--only", "modem", "--only", "memory"], more: more)
        #expect(status == 1)
        #expect(Set(findings.keys) == ["plate", "modem", "memory"])
        #expect(findings["plate"]?.outcome == .failed && findings["plate"]?.hint?.contains("model verify") == true)
        #expect(findings["modem"]?.outcome == .failed && findings["modem"]?.hint != nil)
    }

    @Test func `knows no check that isn't there`() async throws {
        let (status, _, result) = try await run(["--only", "camera.south"])
        #expect(status == 1 && result.errors.contains("There is no check camera.south"))
    }

    @Test func `tries at boot only what is inside the box, raises alarms and clears them`() async throws {
        let store = try Store(path: folder["data/checkpost.sqlite"].path)
        try store.alarms.raise("self-test.plate", .warning, "it was so once", hint: nil, at: BoxClock.now)
        let (_, findings, result) = try await run(["--short", "--alarms"])
        #expect(findings["camera.gate"] == nil && findings["server"] == nil)
        #expect(findings["database"]?.outcome == .passed, "\(result)")
        let alarms = try store.alarms.list().map(\.key)
        #expect(!alarms.contains("self-test.plate"))
        #expect(!alarms.contains("self-test.clock"), "the appliance has an alarm for it")
        try store.close()
    }

    @Test func `asks a running appliance for the camera that it holds`() async throws {
        let box = try RunningAppliance()
        try box.start()
        try box.arrive(try #require(RunningAppliance.frames().first))
        #expect(try await box.eventually { box.takenCount() == 1 }, "\(box.log)")
        #expect(
            try await box.eventually {
                StatusBoard.read(folder: box.folder["data"].path)?.cameras.first?.frameCount == 1
            })
        let result = try await Program.run(
            ["self-test", "--only", "camera.gate", "--config", box.configuration.path])
        #expect(result.status == 0 && result.output.contains("It is connected: 1 picture"), "\(result)")
        _ = try await box.stop()
    }
}
