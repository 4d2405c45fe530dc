import Enforcement
import Foundation
import TestKit
import Testing

@testable import Appliance

@Suite(
    "An update that the server offers",
    .enabled(if: RealPark.isPossible && FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-deb")),
    .timeLimit(.minutes(15)))
struct OfferedUpdateTests {
    private let box: UpdateRoot
    private let park: RealPark

    init() throws {
        (box, park) = (try UpdateRoot(), try RealPark())
        _ = try box.folder.write("right-and-long-enough\n", to: "server.password")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: box.configuration))
        try file.seekToEnd()
        try file.write(
            contentsOf: Data(
                """

                [server]
                url = "\(park.url)"
                email = "bnp-a@bnp.local"
                password_file = "server.password"
                anon_key = "\(park.key)"
                """.utf8))
        try file.close()
    }

    private func fetch() async throws -> OtherProgram.Result {
        try await box.checkpost(["update", "--offered", "--config", box.configuration, "--trial-seconds", "2"])
    }

    /// A package of more than one part, which doesn't pack.
    private func package() throws -> String {
        var random = SeededGenerator(seed: 7)
        let padding = (0..<340_000).map { _ in String(UInt64.random(in: .min ... .max, using: &random), radix: 36) }
        let program = UpdateRoot.program("2.0.0", run: UpdateRoot.beats)
        return try box.package("2.0.0", script: program + "\nexit\n# " + padding.joined())
    }

    private func offer(_ package: String) throws {
        let said = try park.command("update", "offer", package)
        #expect(said.status == 0, "\(said.output)")
    }

    @Test func `is fetched, goes on where it was broken off, and is tried as any other`() async throws {
        try box.boot()
        #expect(try await box.eventually { box.oldRecords })
        let nothing = try await fetch()
        #expect(nothing.status == 1 && nothing.output.contains("offers nothing newer"), "\(nothing.output)")
        let package = try package()
        try offer(package)
        // The box asks for it once an hour by itself.
        let asked = try await box.checkpost(["sync", "--now", "--config", box.configuration])
        #expect(asked.status == 0, "\(asked.output)")
        #expect(
            try await box.eventually {
                let said = try OtherProgram.runAndWait(box.program, ["status", "--config", box.configuration])
                return said.output.contains("The server offers version 2.0.0")
            }, "the box doesn't say it")
        // What came before the link broke.
        let data = try Data(contentsOf: URL(fileURLWithPath: package))
        #expect(data.count > 2 << 20)
        let offered = box.root + "/opt/checkpost/offered"
        try FileManager.default.createDirectory(atPath: offered, withIntermediateDirectories: true)
        let part = "\(offered)/\(try UpdateSignature.sha256(of: package)).part"
        try data.prefix(1_500_000).write(to: URL(fileURLWithPath: part))
        let said = try await fetch()
        #expect(said.status == 0 && said.output.contains("are here"), "\(said.output)")
        #expect(said.output.contains("Updated from 1.0.0 to 2.0.0."), "\(said.output)")
        #expect(box.installedVersion == "2.0.0" && Presence.of(offered) == .absent)
    }

    @Test func `is not taken when it isn't what was signed, or what was offered`() async throws {
        try box.boot()
        #expect(try await box.eventually { box.oldRecords })
        let package = try package()
        try box.sign(package, with: .init())
        try offer(package)
        let foreign = try await fetch()
        #expect(
            foreign.status == 1 && foreign.output.contains("nothing newer for this machine that the key"),
            "\(foreign.output)")
        try box.sign(package)
        try offer(package)
        let offered = box.root + "/opt/checkpost/offered"
        #expect(Presence.of(offered) == .absent, "not a byte was fetched")
        try FileManager.default.createDirectory(atPath: offered, withIntermediateDirectories: true)
        let part = "\(offered)/\(try UpdateSignature.sha256(of: package)).part"
        try Data(repeating: 9, count: 1_500_000).write(to: URL(fileURLWithPath: part))
        let spoilt = try await fetch()
        #expect(spoilt.status == 1 && spoilt.output.contains("is not what was offered"), "\(spoilt.output)")
        #expect(box.installedVersion == "1.0.0" && box.oldRecords)
        // What was fetched and can't be tried yet is here still.
        let unfit = UpdateRoot.program("3.0.0", run: "exit", selfTest: "failed")
        try offer(try box.package("3.0.0", script: unfit))
        let untried = try await fetch()
        #expect(untried.status == 1 && untried.output.contains("its self-test fails"), "\(untried.output)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: offered).contains { $0.hasPrefix("checkpost_3.0.0") })
        park.stop()
        let silent = try await fetch()
        #expect(silent.status == 1 && silent.output.contains("could not be asked what it offers"), "\(silent.output)")
        try park.start()
    }

    @Test func `is asked for again where another answer may come, and nowhere else`() {
        func stop(_ status: Int) -> ServerVisit.Stop { .strange(status: status, isJSON: true, url: "http://x") }
        for status in [206, 408, 429, 500, 502, 503] { #expect(stop(status).mayPass, "\(status)") }
        for status in [200, 302, 401, 403, 404, 416] { #expect(!stop(status).mayPass, "\(status)") }
        #expect(ServerVisit.Stop.silent("no route").mayPass && !ServerVisit.Stop.refused.mayPass)
        #expect(stop(404).isNotFound && !stop(403).isNotFound)
        #expect(
            !ServerVisit.Stop.strange(status: 404, isJSON: false, url: "http://x").isNotFound, "not the park's word")
    }
}
