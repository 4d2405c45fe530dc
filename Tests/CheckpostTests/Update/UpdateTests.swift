import Crypto
import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite(
    "An update of a box", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-deb")),
    .timeLimit(.minutes(15)))
struct UpdateTests {
    private let box: UpdateRoot

    init() throws { box = try UpdateRoot() }

    private func good(_ version: String = "2.0.0") throws -> String {
        try box.package(version, script: UpdateRoot.program(version, run: UpdateRoot.beats))
    }

    private func begin() async throws {
        try box.boot()
        #expect(try await box.eventually { box.oldRecords })
    }

    /// Nothing of an update that was refused is left, and what ran runs on.
    private func expectUntouched(_ pid: String?) throws {
        #expect(box.servicePID == pid)
        #expect(box.oldRecords)
        #expect(box.file.read() == nil)
        #expect(box.places.chosenBeside == nil)
        #expect(Presence.of(box.places.package) == .absent)
        #expect((try? FileManager.default.contentsOfDirectory(atPath: box.places.versions)) ?? [] == [])
    }

    @Test func `installs a version that does well for its trial, with a backup from before`() async throws {
        try await begin()
        let said = try await box.update(try good())
        #expect(said.status == 0, "\(said.output)")
        #expect(said.output.contains("Updated from 1.0.0 to 2.0.0."), "\(said.output)")
        #expect(box.installedVersion == "2.0.0")
        #expect(box.places.chosenBeside == nil)
        #expect(box.file.read() == nil)
        #expect(try await box.eventually { box.newRecords })
        let backups = try FileManager.default.contentsOfDirectory(atPath: box.places.backups)
        #expect(backups.count == 1)
        _ = try DatabaseCopy.check(box.places.backups + "/" + (backups.first ?? ""))
    }

    /// The power goes between the installation and the end of the update, when the package is not there any more.
    @Test func `an installation that is done needs no package to come to its end`() async throws {
        _ = try OtherProgram.runAndWait(box.root + "/usr/bin/dpkg", ["--install", try good()])
        try box.places.make()
        try box.file.begin(UpdateMachine(version: "2.0.0", former: "1.0.0", at: BoxClock.now, term: .seconds(1)))
        for event in [UpdateMachine.Event.prepared(UpdateBaseline(), backup: ""), .well] {
            _ = try box.file.handle(event)
        }
        try box.boot()
        #expect(try await box.eventually { box.file.read() == nil })
        #expect(box.file.lastEnding?.kind == .updated)
        #expect(try await box.eventually { box.newRecords && !box.oldRecords })
    }

    /// As it is when the service starts in the moment in which a package replaces the program.
    @Test func `a program that was replaced before it looked goes on as the installed one`() throws {
        let replacing = try box.folder.write("#!/bin/sh\n" + UpdateRoot.program("2.0.0", run: "exit 0"), to: "new")
        chmod(replacing.path, 0o755)
        let said = try OtherProgram.runAndWait(
            "/bin/bash",
            [
                "-c", "exec 9<\"$1\"; mv \"$2\" \"$1\"; exec /proc/self/fd/9 --version", "bash", box.program,
                replacing.path,
            ])
        #expect(said.output == "checkpost 2.0.0\n")
    }

    @Test func `takes no package that the key did not sign, whole`() async throws {
        try await begin()
        let pid = box.servicePID
        let package = try good()
        try box.sign(package, with: Curve25519.Signing.PrivateKey())
        let foreign = try await box.update(package)
        #expect(foreign.status == 1)
        #expect(foreign.output.contains("is not what was signed"), "\(foreign.output)")
        try expectUntouched(pid)
        try box.sign(package)
        let handle = try #require(FileHandle(forWritingAtPath: package))
        try handle.truncate(atOffset: try handle.seekToEnd() - 10)
        try handle.close()
        let short = try await box.update(package)
        #expect(short.status == 1 && short.output.contains("cut off or changed"), "\(short.output)")
        unlink(package + ".sig")
        let unsigned = try await box.update(package)
        #expect(unsigned.status == 1 && unsigned.output.contains(".sig is not there"), "\(unsigned.output)")
        try expectUntouched(pid)
    }

    @Test func `takes no older version, no other package, and none that doesn't fit on the disk`() async throws {
        try await begin()
        let pid = box.servicePID
        let cases: [(String, String)] = [
            (try box.package("0.9.0", script: "exit 0"), "0.9.0 is not newer than 1.0.0"),
            (try box.package("2.0.0", script: "exit 0", name: "checkpost-server"), "a package of checkpost-server"),
            (try box.package("3.0.0", script: "exit 0", kilobytes: 1 << 40), "There is no room to install it"),
            (try box.package("4.0.0", script: "exit 127"), "The new program does not start"),
            (
                try box.package("5.0.0", script: UpdateRoot.program("5.0.0", run: "exit", selfTest: "failed")),
                "its self-test fails: plate: Nothing more."
            ),
        ]
        for (package, reason) in cases {
            let said = try await box.update(package)
            #expect(said.status == 1 && said.output.contains(reason), "\(said.output)")
            try expectUntouched(pid)
        }
        #expect(box.file.lastEnding?.kind == .refused)
        let status = try await box.checkpost(["update", "--status", "--config", box.configuration])
        #expect(status.output.contains("5.0.0 was not switched to"), "\(status.output)")
    }

    /// What a newer version leaves in the database before it ends.
    private static let migrates =
        "python3 -c \"import sqlite3; c = sqlite3.connect('$root/data/checkpost.sqlite'); "
        + "c.execute('insert or ignore into grdb_migrations values (99)'); c.commit()\"; exit 3"

    @Test(arguments: ["exit 3", "sleep 1000", migrates])
    func `goes back from a version that ends, says nothing, or leaves a newer database`(run: String) async throws {
        try await begin()
        let script = UpdateRoot.program("2.0.0", run: run, status: run.hasSuffix("exit 3") ? nil : "nothing")
        let said = try await box.update(try box.package("2.0.0", script: script), seconds: 3)
        #expect(said.status == 1)
        #expect(said.output.contains("2.0.0 was tried and is not well: "), "\(said.output)")
        #expect(box.installedVersion == "1.0.0")
        #expect(box.places.chosenBeside == nil)
        #expect(try await box.eventually { box.oldRecords })
        let store = try Store(path: box.database)
        defer { try? store.close() }
        let isTold = try await box.eventually { try store.alarms.list().contains { $0.key == "update.back" } }
        let now = try Store(path: box.database)
        defer { try? now.close() }
        let told = try [store, now].map { try $0.alarms.list().map(\.key) }
        #expect(isTold, "\(said.output) \(told)")
        // Whoever was stopped before it had put it away leaves that to the box, which brings it home first.
        func isKept() throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: box.root + "/data").contains {
                $0.hasPrefix("checkpost.sqlite.before-restore-")
            }
        }
        if run == Self.migrates {
            #expect(try await box.eventually { try isKept() })
        } else {
            #expect(try !isKept())
        }
    }

    @Test func `goes back when somebody wants to, and says how far it is`() async throws {
        try await begin()
        let update = Task { try await box.update(try good(), seconds: 300) }
        #expect(try await box.eventually { box.newRecords })
        let status = try await box.checkpost(["update", "--status", "--config", box.configuration])
        #expect(status.output.contains("it is on trial"), "\(status.output)")
        // Everything that is typed meanwhile is the tried program's to answer.
        #expect(try await box.checkpost(["--version"]).output == "checkpost 2.0.0\n")
        let second = try await box.update(try good("3.0.0"))
        #expect(second.status == 1 && second.output.contains("An update to 2.0.0 is under way"), "\(second.output)")
        // A terminal that is closed ends nothing.
        let back = try await box.checkpost(["update", "--back", "--config", box.configuration])
        #expect(back.status == 0 && back.output.contains("somebody wanted the former one back"), "\(back.output)")
        #expect(try await update.value.status == 1)
        #expect(try await box.eventually { box.oldRecords })
    }

    @Test func `finds the newest signed package on a stick, and tries again what Debian could not install`()
        async throws
    {
        try await begin()
        for version in ["1.9.0", "1.10.0"] {
            _ = try box.package(
                version, script: UpdateRoot.program(version, run: UpdateRoot.beats), in: "stick")
        }
        _ = try box.package("7.0.0", script: "exit 0", isSigned: false, in: "stick")
        try Data(
            "#!/bin/sh\nmv \(box.root)/usr/bin/dpkg.real \(box.root)/usr/bin/dpkg\necho the lock is held; exit 2\n".utf8
        )
        .write(to: box.folder["fails"])
        chmod(box.root + "/fails", 0o755)
        let update = Task { try await box.update(box.root + "/stick", seconds: 3) }
        #expect(try await box.eventually { box.file.read()?.step == .trial })
        rename(box.root + "/usr/bin/dpkg", box.root + "/usr/bin/dpkg.real")
        rename(box.root + "/fails", box.root + "/usr/bin/dpkg")
        let said = try await update.value
        #expect(said.output.contains("Updated from 1.0.0 to 1.10.0."), "\(said.output)")
        let log = try String(contentsOfFile: box.root + "/watch.log", encoding: .utf8)
        #expect(log.contains("the lock is held"), "\(log)")
    }
}
