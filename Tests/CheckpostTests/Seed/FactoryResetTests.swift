import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("A box that is made new", .serialized, .timeLimit(.minutes(15)))
struct FactoryResetTests {
    private static let code = "BNP-A"

    private func box() throws -> SeedRig {
        let rig = try SeedRig("a", camera: "data/incoming")
        try FileManager.default.createDirectory(at: rig.folder["data/photos/2026"], withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: rig.folder["data/incoming"], withIntermediateDirectories: true)
        for name in ["photos/2026/x.jpg", "incoming/frame.jpg", "server.tokens", "text.key"] {
            _ = try rig.folder.write("x", to: "data/" + name)
        }
        _ = chmod(rig.folder["data/incoming"].path, 0o770)
        _ = try rig.store.evidence.lookAfterKey(at: BoxClock.now)
        return rig
    }

    private func names(_ rig: SeedRig, _ folder: String = "data") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: rig.folder[folder].path).sorted()
    }

    @Test func `asks for its code while the server lacks something, and leaves nothing then`() async throws {
        let rig = try box()
        try rig.record("BA 1 PA 1234", minutesAgo: 1)
        try rig.store.close()
        for wrong in [["--yes"], ["--word", "yes"]] {
            let said = try await Program.run(["factory-reset", "--config", rig.configPath] + wrong)
            #expect(said.status == 1 && said.errors.contains("1 record: that is lost for good"), "\(said.errors)")
            #expect(said.errors.contains("Nothing was done"))
        }
        #expect(try names(rig).contains("checkpost.sqlite") && names(rig, ".").contains("checkpost.toml"))

        let done = try await rig.run("factory-reset", "--word", Self.code)
        #expect(done.status == 0 && done.output.contains("checkpost setup"), "\(done)")
        #expect(try names(rig) == ["incoming", "run.lock"])
        #expect(try names(rig, "data/incoming").isEmpty)
        var status = stat()
        #expect(stat(rig.folder["data/incoming"].path, &status) == 0 && status.st_mode & 0o777 == 0o770)
        #expect(try names(rig, ".").filter { $0.contains("checkpost.toml") || $0.contains("password") }.isEmpty)
    }

    @Test func `asks less where the server has all, and keeps the configuration where it is wanted`() async throws {
        let rig = try box()
        try rig.store.close()
        let unasked = try await rig.run("factory-reset", "--keep-configuration")
        #expect(unasked.status == 1 && unasked.errors.contains("The server has everything"), "\(unasked.errors)")
        let done = try await rig.run("factory-reset", "--keep-configuration", "--yes")
        #expect(done.status == 0, "\(done)")
        #expect(try names(rig) == ["incoming", "run.lock"])
        #expect(try names(rig, ".").contains("checkpost.toml") && names(rig, ".").contains("server.password"))
        let store = try Store(path: rig.store.path)
        #expect(try store.passages.list().isEmpty)
        try store.close()
    }

    @Test func `does nothing to a box that runs`() async throws {
        let rig = try box()
        let lock = try RunLock(folder: rig.dataFolder)
        let said = try await rig.run("factory-reset", "--yes")
        withExtendedLifetime(lock) {}
        #expect(said.status == 1 && said.errors.contains("systemctl stop checkpost"), "\(said.errors)")
        #expect(try names(rig).contains("checkpost.sqlite") && names(rig, "data/incoming") == ["frame.jpg"])
    }

    @Test func `is ended by the next start where the power went, or the time was over`() async throws {
        let rig = try box()
        try rig.store.close()
        _ = try rig.folder.write("", to: "data/factory-reset.begun")
        try FactoryReset.goOn(try rig.configuration)
        #expect(try await eventually { try names(rig) == ["incoming"] })

        let slow = try box()
        try slow.store.close()
        let reset = FactoryReset(try slow.configuration, configPath: slow.configPath)
        #expect(try reset.run(keepingConfiguration: true, longest: .milliseconds(0)) { _ in } == false)
        #expect(try names(slow).contains { $0.hasPrefix(".factory-reset-") })
        #expect(try !names(slow).contains("checkpost.sqlite") && !names(slow).contains("factory-reset.begun"))
        try FactoryReset.goOn(try slow.configuration)
        #expect(try await eventually { try names(slow) == ["incoming", "run.lock"] })
    }

    /// The database of a box that was set up after a reset that a power cut left its mark of.
    @Test func `leaves what was recorded since it was begun`() async throws {
        let rig = try box()
        try rig.record("BA 1 PA 1234", minutesAgo: 1)
        try rig.store.close()
        let mark = try rig.folder.write("", to: "data/factory-reset.begun")
        let before = Date(timeIntervalSinceNow: -3600)
        try FileManager.default.setAttributes([.modificationDate: before], ofItemAtPath: mark.path)
        try FactoryReset.goOn(try rig.configuration)
        #expect(try names(rig).contains("checkpost.sqlite") && !names(rig).contains("factory-reset.begun"))
        let store = try Store(path: rig.store.path)
        #expect(try store.passages.list().count == 1)
        try store.close()
    }

    @Test func `doesn't begin where a link leads out, and says that nobody knows without a database`() async throws {
        let rig = try box()
        try rig.store.close()
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder["data/elsewhere"].path, withDestinationPath: rig.folder["data/photos"].path)
        let said = try await rig.run("factory-reset", "--keep-configuration", "--yes")
        #expect(said.status == 1 && said.errors.contains("elsewhere is a link"), "\(said.errors)")
        #expect(try names(rig).contains("checkpost.sqlite") && !names(rig).contains("factory-reset.begun"))
        for name in try names(rig) where name == "elsewhere" || name.hasPrefix("checkpost.sqlite") {
            try FileManager.default.removeItem(at: rig.folder["data/" + name])
        }
        let unknown = try await rig.run("factory-reset", "--keep-configuration", "--yes")
        #expect(unknown.status == 1 && unknown.errors.contains("There is no database in"), "\(unknown.errors)")
        #expect(try await rig.run("factory-reset", "--keep-configuration", "--word", Self.code).status == 0)
    }

    /// Records of a day on which the disk was away.
    @Test func `counts what lies in the spare folder`() throws {
        let rig = try box()
        try rig.store.close()
        var configuration = try rig.configuration
        configuration.spareFolder = rig.folder["spare"].path
        try FileManager.default.createDirectory(at: rig.folder["spare/data"], withIntermediateDirectories: true)
        _ = try rig.folder.write("x", to: "spare/data/checkpost.sqlite")
        let reset = FactoryReset(configuration, configPath: rig.configPath)
        #expect(reset.loss()?.contains("while the disk was away") == true)
    }
}
