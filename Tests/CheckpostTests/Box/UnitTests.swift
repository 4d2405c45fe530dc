import Capture
import Enforcement
import Foundation
import TestKit
import Testing

@testable import Appliance

@Suite("The services' units", .timeLimit(.minutes(5)))
struct UnitTests {
    private static let analyzer = "/usr/bin/systemd-analyze"
    private static let deploy = Checkout.root.appendingPathComponent("deploy")
    private static let units = [
        "systemd/checkpost.service", "systemd/checkpost-answers@.service", "systemd/checkpost-self-test.service",
        "server/systemd/checkpost-server.service",
    ]

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: analyzer), "systemd-analyze rates units"),
        arguments: units)
    func `leave hardly anything of the machine within reach`(_ unit: String) throws {
        let output = try OtherProgram.runAndWait(
            Self.analyzer, ["security", "--offline=true", Self.deploy.appendingPathComponent(unit).path]
        ).output
        let rating = try #require(output.firstMatch(of: #/exposure level for \S+: ([0-9.]+)/#), "\(output)").1
        #expect(try #require(Double(rating)) <= 2.0, "\(output)")
    }

    @Test func `never give up, wait for setup, and have bounds`() throws {
        let box = try String(contentsOf: Self.deploy.appendingPathComponent(Self.units[0]), encoding: .utf8)
        for line in [
            "StartLimitIntervalSec=0", "Restart=always", "Type=notify", "WatchdogSec=60", "OOMPolicy=continue",
            "ConditionPathExists=/etc/checkpost/checkpost.toml", "MemoryMax=85%", "TasksMax=512",
            "LimitNOFILE=65536",
        ] {
            #expect(box.contains("\n\(line)\n"), "\(line)")
        }
        let server = try String(contentsOf: Self.deploy.appendingPathComponent(Self.units[3]), encoding: .utf8)
        for line in ["StartLimitIntervalSec=0", "Restart=always", "TasksMax=512", "LimitNOFILE=65536"] {
            #expect(server.contains("\n\(line)\n"))
        }
    }

    @Test func `a record folder elsewhere is opened to the service, and no other is`() {
        #expect(ServiceUnits.lines(dataFolder: "/var/lib/checkpost") == nil)
        #expect(ServiceUnits.lines(dataFolder: "/var/lib/checkpost/ssd") == nil)
        #expect(ServiceUnits.lines(dataFolder: "/mnt/ssd")?.contains("ReadWritePaths=-/mnt/ssd\n") == true)
    }

    @Test func `wait for the disk of the records, and start without it`() throws {
        let box = try String(contentsOf: Self.deploy.appendingPathComponent(Self.units[0]), encoding: .utf8)
        #expect(box.contains("\nAfter=var-lib-checkpost.mount\n") && box.contains("\nWants=var-lib-checkpost.mount\n"))
        // It requires the mounts below it.
        #expect(!box.contains("\nStateDirectory=") && !box.contains("RequiresMountsFor="))
        let lines = ServiceUnits.lines(dataFolder: "/mnt/my disk/post", mountPoint: "/mnt/my disk")
        #expect(lines?.contains("[Unit]\nWants=mnt-my\\x20disk.mount\nAfter=mnt-my\\x20disk.mount\n") == true)
        #expect(ServiceUnits.mountUnit("/srv/.a-b") == "srv-\\x2ea\\x2db.mount")
    }

    @Test func `are written for the post, and taken away when nothing is to be told`() throws {
        let folder = try TemporaryFolder()
        var configuration = Configuration()
        configuration.homeFolder = "/srv/records"
        try ServiceUnits.write(configuration, below: folder.url.path)
        for name in ["checkpost", "checkpost-answers@", "checkpost-self-test"] {
            let text = try String(contentsOf: folder[name + ".service.d/data-folder.conf"], encoding: .utf8)
            #expect(text.contains("ReadWritePaths=-/srv/records\n"))
        }
    }

    @Test func `the folder of a camera elsewhere is opened to the service, unless its pictures stay`() {
        func camera(_ path: String, _ answered: FolderPictures) -> CameraConfiguration {
            CameraConfiguration(name: "gate", kind: .folder(path: path), answered: answered)
        }
        let cameras = [
            camera("/home/ftp/gate", .remove), camera("/srv/kept", .keep), camera("/var/lib/checkpost/incoming", .move),
        ]
        let lines = ServiceUnits.lines(dataFolder: "/var/lib/checkpost", cameras: cameras)
        #expect(lines?.split(separator: "\n").suffix(2) == ["[Service]", "ReadWritePaths=-/home/ftp/gate"])
    }

    @Test func `are taken away without what belongs to the post`() throws {
        let folder = try TemporaryFolder()
        let manager = FileManager.default
        let mine = [
            "etc/checkpost/checkpost.toml", "etc/checkpost/gate.password", "var/lib/checkpost/checkpost.sqlite",
        ]
        let others = [
            "usr/local/bin/checkpost", "usr/local/share/checkpost/README.md", "etc/systemd/system/checkpost.service",
            "etc/systemd/system/checkpost.service.d/data-folder.conf", "etc/udev/rules.d/60-checkpost.rules",
            "etc/avahi/services/checkpost.service",
        ]
        for name in mine + others {
            try manager.createDirectory(
                at: folder[name].deletingLastPathComponent(), withIntermediateDirectories: true)
            _ = try folder.write("x", to: name)
        }
        for _ in 0..<2 {
            let outcome = try OtherProgram.runAndWait(
                Self.deploy.appendingPathComponent("uninstall").path, [], environment: ["DESTDIR": folder.url.path])
            #expect(outcome.status == 0, "\(outcome.output)")
        }
        for name in mine { #expect(manager.fileExists(atPath: folder[name].path), "\(name)") }
        for name in others { #expect(!manager.fileExists(atPath: folder[name].path), "\(name)") }
    }

    @Test func `have a version that git names`() throws {
        let version = try OtherProgram.runAndWait(Self.deploy.appendingPathComponent("version").path, [])
        #expect(version.status == 0)
        // What Debian takes for a version.
        #expect(version.output.wholeMatch(of: #/[0-9][A-Za-z0-9.+~]*\n/#) != nil, "\(version.output)")
    }
}
