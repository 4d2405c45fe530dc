import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("What support gets of a box", .timeLimit(.minutes(5)))
struct DoctorTests {
    private let folder: TemporaryFolder
    private let plates = ["BA 2 KHA 1818", "UP 32 AB 1234"]

    init() throws {
        folder = try TemporaryFolder()
        let store = try Store(path: folder["checkpost.sqlite"].path)
        for plate in plates {
            let passage = Passage(
                clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
                checkpostCode: "BNP-A", recordedAt: BoxClock.now, clockState: .synchronised, origin: .camera)
            try store.passages.record(passage, at: BoxClock.now)
        }
        var entry = try #require(try store.queue.entries().first)
        entry.status = .failed
        entry.lastError = "409: plate ba2kha1818 is there already; Authorization: Bearer eyJhbGciOi.x.y"
        try store.queue.update(entry)
        try store.alarms.raise("camera.gate", .warning, "UP32AB 1234 stands before the camera", at: BoxClock.now)
        try store.close()
    }

    private func unpacked(_ archive: String) async throws -> [String: String] {
        let to = folder["unpacked"].path
        try FileManager.default.createDirectory(atPath: to, withIntermediateDirectories: true)
        let result = try await OtherProgram.run("/bin/tar", ["-xzf", archive, "-C", to, "--strip-components=1"])
        try #require(result.status == 0, "\(result.output)")
        return try Dictionary(
            uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: to).map {
                ($0, try String(contentsOfFile: to + "/" + $0, encoding: .utf8))
            })
    }

    @Test func `is one archive, with no plate, no secret and no picture in it`() async throws {
        let config = try folder.write(
            """
            [post]
            code = "BNP-A"
            name = "A"
            other_code = "BNP-B"
            [segment]
            distance_km = 45.0
            max_speed_kmh = 40.0
            min_speed_kmh = 10.0
            [[camera]]
            name = "gate"
            kind = "rtsp"
            url = "rtsp://camera.local/live"
            user = "viewer"
            password_file = "gate.password"
            # rtsp://viewer:hunter2@camera.local/live, and the old PIN 48211954
            [data]
            folder = "\(folder.url.path)"
            [modem]
            device = "/dev/ttyUSB0"
            "pin" = "48211953"   # 48211955
            """, to: "checkpost.toml")
        _ = try folder.write("hunter2\n", to: "gate.password")
        let archive = folder["support.tar.gz"].path
        let result = try await Program.run(["doctor", "--config", config.path, "--to", archive])
        #expect(result.status == 0, "\(result.errors)")
        let pages = try await unpacked(archive)
        let names = [
            "README.txt", "status.txt", "status.json", "self-test.txt", "configuration.toml", "database.txt",
            "queue.txt",
            "machine.txt", "log.txt",
        ]
        #expect(Set(pages.keys) == Set(names))
        let all = pages.values.joined().uppercased()
        for hidden in ["KHA 1818", "KHA1818", "AB 1234", "AB1234", "HUNTER2", "4821195", "EYJHB"] {
            #expect(!all.contains(hidden), "\(hidden)")
        }
        #expect(pages["database.txt"]?.contains("passages 2") == true)
        #expect(
            pages["queue.txt"]?.contains("409: plate [plate] is there already") == true, "\(pages["queue.txt"] ?? "")")
        #expect(pages["configuration.toml"]?.contains("distance_km = 45.0") == true)
        #expect(pages["machine.txt"]?.contains("Linux") == true)
        let again = try await Program.run(["doctor", "--config", config.path, "--to", archive])
        #expect(again.status == 1 && again.errors.contains("already"), "nothing is written over")
    }

    @Test func `is made of a box without configuration and database, too, and of a damaged one`() async throws {
        try Data(repeating: 7, count: 9000).write(to: folder["checkpost.sqlite"])
        for suffix in ["-wal", "-shm"] { unlink(folder["checkpost.sqlite"].path + suffix) }
        for database in ["checkpost.sqlite", "none.sqlite"] {
            let archive = folder["support-\(database).tar.gz"].path
            let result = try await Program.run([
                "doctor", "--config", folder["none.toml"].path, "--database", folder[database].path, "--to", archive,
            ])
            #expect(result.status == 0, "\(result.errors)")
            #expect(try await unpacked(archive)["database.txt"]?.contains(folder[database].path) == true)
        }
        let nowhere = try await Program.run(["doctor", "--to", folder["no/such/folder.tar.gz"].path])
        #expect(nowhere.status == 1 && nowhere.errors.contains("--to"), "\(nowhere.errors)")
    }

    @Test(arguments: [
        ("violation plate=BA 9 PA 1 kind=speeding [Appliance]", "violation plate=[plate] kind=speeding [Appliance]"),
        ("passage plate=X", "passage plate=[plate]"), ("seen BA-2-KHA-1818, twice", "seen [plate], twice"),
        ("BA2 KHA 1818UP32AB1234", "BA2 KHA 1818UP32AB1234"), ("up 32 ab 1234 BA 2 KHA 1818.", "[plate] [plate]."),
        ("anon_key = \"abc\"", "anon_key = [secret]"), ("password_file = \"/etc/x\"", "password_file = \"/etc/x\""),
        ("the PIN is wrong", "the PIN is wrong"), ("PIN: 1234", "PIN: [secret]"),
        ("Authorization: Basic dXNlcjpw x", "Authorization: [secret] x"),
        ("got eyJhbGciOi.eyJz.s1-g!", "got [secret]!"),
        ("http://a:b@host/path?x=1", "http://[secret]@host/path?x=1"), ("", ""),
        ("rtsp://admin:a@b@host/", "rtsp://[secret]@host/"), ("PIN 4729 was tried", "PIN [secret] was tried"),
        (#"{"access_token":"abc","x":1}"#, #"{"access_token":[secret],"x":1}"#),
        (#"{"plate":"MH 12 DE 1433"}"#, #"{"plate":"[plate]"}"#), ("Cookie: session=abc; a", "Cookie: [secret]; a"),
        ("UP%2032%20AB%201234", "[plate]"), ("ＵＰ ３２ ＡＢ １２３４", "[plate]"), ("say park-secret-9 now", "say [secret] now"),
    ])
    func `says nothing of vehicles and secrets, and leaves the rest`(text: String, cleaned: String) {
        #expect(SupportText(plates: Set(plates), secrets: ["park-secret-9"]).clean(text) == cleaned)
    }

    @Test func `shows settings without remarks, values of several lines and the paths of addresses`() {
        let toml = """
            # the old one was hunter2
            name = "a # b" # hunter2
            url = "http://cam.local/secret/stream?x=hunter2" # x
            password = \"\"\"
            hunter2
            \"\"\"
            [data]
            """
        #expect(
            SupportText.settings(toml) == """
                name = "a # b"\u{20}
                url = "http://cam.local/…"\u{20}
                password = [secret]
                [data]
                """)
    }
}
