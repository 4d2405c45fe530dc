import Enforcement
import Foundation
import Storage
import Testing

@testable import Appliance

@Suite("What commands print as JSON", .timeLimit(.minutes(15)))
struct SchemaTests {
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable { var name: String }
            var names: [Name]?
        }
        var commandName: String
        var subcommands: [Command]?
        var arguments: [Argument]?

        /// Those that have `--json`, as they are typed.
        func withJSON(_ before: [String]) -> [String] {
            let path = before + [commandName]
            let has = (arguments ?? []).contains { ($0.names ?? []).contains { $0.name == "json" } }
            return (has ? [path.joined(separator: " ")] : []) + (subcommands ?? []).flatMap { $0.withJSON(path) }
        }
    }

    @Test func `has a documented shape for every command that prints it, and no other`() async throws {
        struct Dump: Decodable { var command: Command }
        let help = try await Program.run(["--experimental-dump-help"])
        let dump = try JSONDecoder().decode(Dump.self, from: Data(help.output.utf8))
        let commands = (dump.command.subcommands ?? []).flatMap { $0.withJSON([]) }
        let files = try FileManager.default.contentsOfDirectory(atPath: JSONSchema.folder.path)
            .filter { $0.hasSuffix(".json") }
        #expect(commands.count > 25)
        #expect(Set(files) == Set(commands.map { $0.replacingOccurrences(of: " ", with: "-") + ".json" }))
    }

    @Test func `is refused by its shape where it strays from it`() throws {
        let schema = try JSONSchema(command: "exempt list")
        let good: [String: Any] = [
            "plate": "BA1PA1", "text": "BA 1 PA 1", "reason": "x", "added_at": "2026-11-21T10:00:00.000Z",
            "is_of_park": false,
        ]
        #expect(schema.problems(good) == [])
        for (key, value) in [
            ("added_at", "2026-11-21T10:00:00Z"), ("added_at", "2026-11-21 10:00:00"), ("added_at", 1_795_255_200_000),
            ("reason", NSNull()), ("more", true),
        ] as [(String, Any)] {
            #expect(schema.problems(good.merging([key: value]) { $1 }) != [], "\(key): \(value)")
        }
        #expect(schema.problems(good.filter { $0.key != "text" }) != [])
        #expect(try JSONSchema(text: #"{"type": "boolean"}"#).problems(1) != [])
        #expect(try JSONSchema(text: #"{"type": "integer"}"#).problems(true) != [])
        #expect(try JSONSchema(text: #"{"minimum": 3}"#).problems(4) != [])
    }

    /// Runs a command and holds each line that it prints to its shape.
    private func hold(
        _ command: String, _ more: [String] = [], as shape: String? = nil, atLeast: Int = 1
    ) async throws {
        let result = try await Program.run(command.split(separator: " ").map(String.init) + ["--json"] + more)
        try Self.hold(result.output, to: shape ?? command, atLeast: atLeast, errors: result.errors)
    }

    static func hold(_ output: String, to command: String, atLeast: Int = 1, errors: String = "") throws {
        let schema = try JSONSchema(command: command)
        let lines = output.split(separator: "\n")
        #expect(lines.count >= atLeast, "\(command) printed \(lines.count) lines: \(errors)")
        for line in lines {
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8), options: [.fragmentsAllowed])
            let problems = schema.problems(value)
            #expect(problems == [], "\(command): \(line.prefix(300))")
        }
    }

    @Test func `of records has its shape`() async throws {
        let day = try await SampleDay.replayed.value
        try Self.hold(day.result.output, to: "replay")
        let folder = try TemporaryFolder()
        let path = try SampleDay.copy(of: "BNP-A", in: day.folder, to: folder)
        try Self.addMore(to: path)
        let here = ["--database", path]
        try await hold("passages list", here, atLeast: 3)
        try await hold("violations", here)
        let store = try Store(path: path)
        let first = try #require(try store.passages.list().last).id.uuidString
        let violation = try #require(try store.violations.list().first).id.uuidString.lowercased()
        let failed = try #require(try store.queue.entries(limit: 1).first).id
        try store.close()
        _ = try await Program.run(
            ["passages", "correct", first, "BA 9 CHA 1111", "--reason", "misread", "--by", "ram"] + here)
        try await hold("passages show", [first] + here)
        _ = try await Program.run(["outcomes", "record", violation, "fined", "--fine", "500", "--by", "ram"] + here)
        try await hold("outcomes list", here, atLeast: 0)
        for command in ["reviews list", "overstays list", "exempt list", "queue list", "sms log", "sms inbox"] {
            try await hold(command, here)
        }
        try await hold("user list", here, atLeast: 2)
        try await hold("lookalikes list", here, atLeast: 0)
        try await hold("queue show", ["\(failed)"] + here)
        try await hold("queue retry", ["\(failed)"] + here)
        try await hold("status", here)
    }

    /// What a sample day doesn't have: doubtful sightings, an overstay, exempt plates, users, messages.
    private static func addMore(to path: String) throws {
        let store = try Store(path: path)
        defer { try? store.close() }
        let noon = Instant(milliseconds: 1_795_255_200_000)
        let plate = Plate(canonical: "BA 1 CHA 1234")
        let sighting = Sighting(
            number: 900, camera: "gate", firstSeenAt: noon, lastSeenAt: noon, frameCount: 1,
            bestFrame: FrameReference(
                sha256: String(repeating: "a", count: 64), camera: "gate", recordedAt: noon, clockState: .synchronised),
            reading: PlateReading(
                plate: plate, raw: plate.canonical, confidence: 0.5, box: Box(x: 1, y: 2, width: 30, height: 10),
                format: "np-zonal", candidates: [], characters: []))
        _ = try store.frames.commit(FrameCommit(camera: "gate", reviews: [sighting], at: noon))
        let other = Plate(canonical: "GA 7 KHA 5555")
        let passage = Passage(
            clientID: UUID(), plate: other, plateRaw: other.canonical, vehicleType: .car, checkpostCode: "BNP-A",
            recordedAt: noon, clockState: .synchronised, confidence: 0.9, origin: .camera)
        try store.passages.record(passage, at: noon)
        _ = try store.alerts.raise(
            [
                OverstayAlert(
                    entryClientID: passage.clientID, plate: other, vehicleType: .car, entryTime: noon,
                    expectedExitBy: noon + .hours(4.5), isDoubtful: false)
            ], at: noon + .hours(5))
        try store.exemptPlates.add(Plate(canonical: "BA 1 JHA 1"), reason: "ambulance", at: noon)
        for (name, role) in [("sita", User.Role.ranger), ("hari", .technician)] {
            try store.accounts.add(
                User(
                    name: name, fullName: name, role: role, origin: .box, passwordHash: nil, pinHash: nil,
                    createdAt: noon))
        }
        _ = try store.messages.addTest(to: "+9779800000000", text: "a test", at: noon)
        try store.messages.noteInbound(from: "+9771", text: "balance", at: noon)
    }

    @Test func `of pictures, models and settings has its shape`() async throws {
        let folder = try TemporaryFolder()
        let pictures = Checkout.samples.appendingPathComponent("drive/BNP-A").path
        let picture = pictures + "/20261121T041530.250Z.jpg"
        try await hold("read", [picture, "/nowhere.jpg"], atLeast: 2)
        try await hold("model list")
        try await hold("model show")
        try await hold("sms pdu", ["हाम्रो पोस्ट " + String(repeating: "x", count: 100), "+9779812345678"], atLeast: 2)
        try await hold("bench read", [picture])
        try await hold("bench matching", ["--rows", "1000"])
        let config = try folder.write(PostFile.text, to: "post.toml").path
        let wrong = try folder.write("[post]\n", to: "wrong.toml").path
        try await hold("config check", [config, "--offline"])
        try await hold("config check", [wrong, "--offline"])
        try FileManager.default.createDirectory(at: folder["data"], withIntermediateDirectories: true)
        try Store(path: folder["data/checkpost.sqlite"].path).close()
        try await hold("self-test", ["--config", config], atLeast: 5)
        try await hold("sync", ["--config", config], as: "sync status", atLeast: 0)
        try await hold("sms status", ["--config", config])
        let stills = Checkout.samples.appendingPathComponent("stills")
        let truth = try String(contentsOf: stills.appendingPathComponent("truth.csv"), encoding: .utf8)
        let rows = truth.components(separatedBy: "\n")
        let name = String(try #require(rows[1].split(separator: ",").first))
        let small = try folder.write(rows[0...1].joined(separator: "\n") + "\n", to: "truth.csv").path
        try FileManager.default.createDirectory(at: folder["stills"], withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: stills.appendingPathComponent(name), to: folder["stills"].appendingPathComponent(name))
        try await hold("replay", [folder["stills"].path, "--truth", small])
    }
}
