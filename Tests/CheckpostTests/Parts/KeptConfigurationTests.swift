import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

/// The real program, at whose next start somebody has broken the configuration.
@Suite("A box with a broken configuration", .timeLimit(.minutes(15)), .serialized)
struct KeptConfigurationTests {
    private let box: RunningAppliance
    private var kept: String { box.configuration.path + ".kept" }

    init() throws { box = try RunningAppliance() }

    private func alarm() throws -> Alarm? { try box.opened().alarms.list().first { $0.key == "configuration" } }

    @Test(arguments: ["max_speed_kmh = forty\n", "[post\n"])
    func `starts with the one that it last came up with, and names what is to be mended`(mistake: String) async throws {
        let good = try String(contentsOf: box.configuration, encoding: .utf8)
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        #expect(
            try await box.eventually { FileManager.default.contents(atPath: kept) == Data(good.utf8) }, "\(box.log)")
        var status = stat()
        #expect(stat(kept, &status) == 0 && status.st_mode & 0o777 == 0o600, "passwords may be in it")
        #expect(try await box.stop().status == 0)

        let lines = good.split(separator: "\n", omittingEmptySubsequences: false).count
        _ = try box.folder.write(good + mistake, to: "checkpost.toml")
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        for frame in try RunningAppliance.frames().prefix(8) { try box.arrive(frame) }
        #expect(try await box.eventually { box.takenCount() == 8 }, "\(box.log)")
        let alarm = try #require(try alarm())
        #expect(alarm.severity == .critical && alarm.message.contains("line \(lines)"), "\(alarm)")
        #expect(alarm.hint?.contains("config check") == true)
        let check = try await Program.run(["config", "check", "--offline", box.configuration.path])
        #expect(check.status == 1)
        let said = try await Program.run(["status", "--config", box.configuration.path])
        #expect(said.output.contains("line \(lines)") && said.output.contains("last good one"), "\(said.output)")
        #expect(said.output.contains("running since"), "\(said.output)")
        #expect(FileManager.default.contents(atPath: kept) == Data(good.utf8), "a broken one is never kept")
        #expect(try await box.stop().status == 0)

        _ = try box.folder.write(good, to: "checkpost.toml")
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        #expect(try self.alarm() == nil)
        #expect(try await box.stop().status == 0)
    }

    @Test func `that never came up refuses to start, and says why`() async throws {
        _ = try box.folder.write("[post\n", to: "checkpost.toml")
        let run = try await Program.run(["run", "--config", box.configuration.path])
        #expect(run.status == 1 && run.errors.contains("line 1"), "\(run.errors)")
    }

    @Test func `of the usual place is kept in the spare folder, where the service may write`() throws {
        let folder = try TemporaryFolder()
        let text = Data((PostFile.text).utf8)
        let keeper = KeptConfiguration(of: Configuration.defaultPath, spare: folder.url.path)
        #expect(keeper.read() == nil)
        try keeper.keep(text)
        #expect(FileManager.default.contents(atPath: folder["checkpost.toml.kept"].path) == text)
        #expect(keeper.read()?.configuration.post.code == "BNP-A")
        try keeper.keep(Data("[post".utf8))
        #expect(keeper.read() == nil, "what can't be used isn't")
    }
}
