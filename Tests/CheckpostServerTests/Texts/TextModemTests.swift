import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("A modem at the park's server", .serialized, .timeLimit(.minutes(5)))
struct TextModemTests {
    private static let own = "V1|BNP-A|BA1PA1234|CAR|1795255200|0000"

    private static func modem(_ texts: [String]) throws -> ScriptedModem {
        let listed = texts.enumerated().map { DeliveredText($1, from: "9779800000000", index: $0 + 1).line }.joined()
        return try ScriptedModem(
            Dialogue(text: Dialogue.ready + "on AT+CMGL=4\n" + listed + "  < OK\non AT+CMGL=4\n  < OK\n"))
    }

    private static func eventually(_ holds: () async throws -> Bool) async throws -> Bool {
        for _ in 0..<600 {
            if try await holds() { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    private static func configure(_ settings: inout Settings, _ modem: ScriptedModem) {
        settings.textModem = .init(device: modem.path)
        settings.textModem?.folder = modem.directory.path + "/texts"
    }

    @Test func `takes a post's text, keeps any other with its reason, and deletes both from the SIM`() async throws {
        let modem = try Self.modem([Self.own, "नमस्ते, your balance is 12"])
        defer { modem.stop() }
        try await TestServer.run({ Self.configure(&$0, modem) }) { server, database in
            #expect(
                try await Self.eventually {
                    try database.owner.value("select count(*) from sms_messages") == "2"
                })
            #expect(
                try database.owner.run("select plate_number, source, vehicle_type from vehicle_passages").rows
                    == [["BA1PA1234", "sms", "car"]])
            #expect(
                try database.owner.run("select sender, body, result from sms_messages order by result").rows == [
                    ["+9779800000000", Self.own, "inserted"],
                    ["+9779800000000", "नमस्ते, your balance is 12", "refused"],
                ])
            #expect(try await Self.eventually { Set(modem.received).isSuperset(of: ["AT+CMGD=1", "AT+CMGD=2"]) })
            #expect(TextSpool(folder: modem.directory.path + "/texts/waiting").waiting(limit: 10).isEmpty)
            let figures = try await server.send("GET", "/metrics", as: nil).text
            #expect(figures.contains("checkpost_server_modem_ready 1"))
        }
    }

    @Test func `loses no text while PostgreSQL is away, nor over a restart`() async throws {
        let modem = try Self.modem([])
        defer { modem.stop() }
        let spool = TextSpool(folder: modem.directory.path + "/texts/waiting")
        #expect(spool.keep(.init(id: "00000000000001-a", sender: "+9779800000000", body: Self.own)))
        // What a power cut left, and what is no text any more.
        try Data("{".utf8).write(to: URL(fileURLWithPath: spool.folder + "/00000000000000-b.json"))
        try Data("{".utf8).write(to: URL(fileURLWithPath: spool.folder + "/00000000000002-c.json.part"))
        try await TestServer.run({ Self.configure(&$0, modem) }) { _, database in
            #expect(
                try await Self.eventually { try database.owner.value("select count(*) from vehicle_passages") == "1" })
            #expect(try await Self.eventually { spool.waiting(limit: 10).isEmpty })
            let aside = FileManager.default.contents(atPath: spool.folder + "/00000000000000-b.json.unreadable")
            #expect(aside == Data("{".utf8))
            let maintenance = try PostgresConnection(
                url: PostgresCluster.shared.get().url(database: "postgres", user: "postgres"))
            try maintenance.run("alter database \(database.name) with allow_connections false")
            try maintenance.run(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [database.name])
            let later = Self.own.replacing("1234", with: "9999")
            #expect(spool.keep(.init(id: "00000000000003-d", sender: nil, body: later)))
            #expect(try await Self.eventually { spool.text("00000000000003-d")?.body == later })
            try maintenance.run("alter database \(database.name) with allow_connections true")
            let again = try PostgresConnection(url: database.ownerURL)
            #expect(
                try await Self.eventually { try again.value("select count(*) from vehicle_passages") == "2" })
        }
    }

    @Test func `brings a text into the database that can't be written to the disk`() async throws {
        let modem = try Self.modem([Self.own])
        defer { modem.stop() }
        let folder = modem.directory.path + "/texts"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Where the folder of what waits would be, there is a file.
        try Data().write(to: URL(fileURLWithPath: folder + "/waiting"))
        let lines = LogLines()
        try await TestServer.run({ Self.configure(&$0, modem) }, log: lines) { _, database in
            let isThere = try await Self.eventually {
                try database.owner.value("select count(*) from vehicle_passages") == "1"
            }
            #expect(isThere, "\(lines.all)")
        }
        #expect(lines.all.contains { $0.contains("it waits in memory") })
    }

    @Test func `that is not there, or has no port, keeps the server from nothing`() async throws {
        let lines = LogLines()
        for device in ["/dev/nothing-of-the-kind", "/dev/null"] {
            let folder = FileManager.default.temporaryDirectory.path + "/texts-\(UUID().uuidString)"
            func configure(_ settings: inout Settings) {
                settings.textModem = .init(device: device)
                settings.textModem?.folder = folder
            }
            try await TestServer.run(configure, log: lines) { server, _ in
                let health = try await server.send("GET", "/health", as: nil).status
                #expect(health == 200)
                let isSaid = try await Self.eventually { lines.all.contains { $0.contains("modem") } }
                #expect(isSaid, "\(lines.all)")
            }
        }
    }

    @Test(arguments: [
        ("device = \"ttyUSB0\"", "modem.device"), ("device = \"auto\"\nspeed = 9601", "modem.speed"),
        ("device = \"auto\"\npins = \"1\"", "pins"),
    ])
    func `is refused in the configuration where it makes no sense`(lines: String, named: String) {
        let text = """
            [database]
            url = "dbname=x"
            [auth]
            jwt_secret = "a secret of the tests, long enough for HS256"
            [modem]
            \(lines)
            """
        let mistake = #expect(throws: (any Error).self) { try SettingsFile.settings(toml: text) }
        #expect("\(mistake.map { "\($0)" } ?? "")".contains(named))
    }
}
