import Enforcement
import Foundation
import Storage
import Testing

@testable import Appliance

@Suite("What a person decides at the command line", .timeLimit(.minutes(15)))
struct DecisionTests {
    private let folder: TemporaryFolder
    private let database: String

    init() throws {
        folder = try TemporaryFolder()
        database = folder["checkpost.sqlite"].path
    }

    private func run(_ arguments: String...) async throws -> Program.Result {
        try await Program.run(arguments + ["--database", database])
    }

    private let noon = Instant(iso8601: "2026-11-21T06:15:00Z") ?? Instant(milliseconds: 0)

    private func doubtful(_ number: Int, _ plate: String) -> Sighting {
        let plate = Plate(canonical: plate)
        let reading = PlateReading(
            plate: plate, raw: plate.canonical, confidence: 0.5, box: Box(x: 1, y: 2, width: 30, height: 10),
            format: "np-zonal", candidates: [],
            characters: [])
        let frame = FrameReference(
            sha256: String(repeating: "a", count: 64), camera: "gate", recordedAt: noon, clockState: .synchronised)
        return Sighting(
            number: number, camera: "gate", firstSeenAt: noon, lastSeenAt: noon, frameCount: 1, bestFrame: frame,
            reading: reading)
    }

    private func store() throws -> Store { try Store(path: database) }

    private func keepDoubtful(_ sightings: Sighting...) throws {
        let store = try store()
        _ = try store.frames.commit(FrameCommit(camera: "gate", reviews: sightings, at: noon))
        try store.close()
    }

    @Test func `a sighting of which nothing was read is not recorded without a plate`() async throws {
        try keepDoubtful(doubtful(1, ""), doubtful(2, "BA 1 CHA 1?34"))
        for id in ["gate/1", "gate/2"] {
            let result = try await run("reviews", "record", id)
            #expect(result.status == 1 && result.errors.contains("type the whole plate"), "\(result.errors)")
            #expect(!result.errors.contains("CHECK"))
        }
        #expect(try await run("reviews", "record", "gate/1", "BA 1 CHA 1234").status == 0)
        #expect(try await run("reviews", "record", "gate/2", "!").status == 2)
    }

    @Test func `what a ranger discarded can be restored, what the tracker dropped can't`() async throws {
        try keepDoubtful(doubtful(1, "BA 1 CHA 1234"))
        #expect(try await run("reviews", "restore", "gate/1").status == 1)
        #expect(try await run("reviews", "discard", "gate/1", "--by", "sita").status == 0)
        #expect(
            try await run("reviews", "list", "--discarded", "--json").objects.map { $0["id"] as? String } == ["gate/1"])
        #expect(try await run("reviews").output.contains("No sighting waits"))
        #expect(try await run("reviews", "restore", "gate/1").status == 0)
        #expect(try await run("reviews", "--json").objects.count == 1)
        #expect(try await run("reviews", "restore", "gate/9").status == 1)
    }

    @Test func `a doubtful sighting becomes a passage with the plate that the ranger gives`() async throws {
        try keepDoubtful(doubtful(1, "BA 1 CHA 1234"), doubtful(2, "BA 2 CHA 1234"))
        let list = try await run("reviews", "--json")
        #expect(list.objects.map { $0["id"] as? String } == ["gate/1", "gate/2"])
        let corrected = try await run("reviews", "record", "gate/1", "बा १ प ४०३६", "--by", "sita")
        #expect(corrected.status == 0, "\(corrected.errors)")
        let confirmed = try await run("reviews", "record", "gate/2", "--by", "sita", "--type", "bus")
        #expect(confirmed.status == 0, "\(confirmed.errors)")
        let passages = try store().passages.list().map(\.passage).sorted { $0.plate.compact < $1.plate.compact }
        #expect(passages.map(\.plate.compact) == ["BA1PA4036", "BA2CHA1234"])
        #expect(passages.map(\.vehicleType) == [.motorcycle, .bus])
        #expect(passages.map(\.confidence) == [nil, 0.5])
        #expect(passages.allSatisfy { $0.origin == .review && $0.actedBy == "sita" && $0.recordedAt == noon })
        #expect(try await run("reviews", "record", "gate/1").status == 1)
        #expect(try await run("reviews").output.contains("No sighting waits"))
    }

    @Test func `a discarded sighting is no passage`() async throws {
        try keepDoubtful(doubtful(1, "BA 1 CHA 1234"))
        #expect(try await run("reviews", "discard", "gate/1").status == 0)
        #expect(try await run("reviews", "discard", "gate/1").status == 1)
        #expect(try store().passages.list().isEmpty)
    }

    private func recordOld(_ plate: String) throws -> UUID {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: "BNP-A",
            recordedAt: noon, clockState: .synchronised, confidence: 0.9, origin: .camera)
        let store = try store()
        _ = try store.passages.record(passage, at: noon)
        try store.close()
        return passage.clientID
    }

    @Test func `an overstay alert is listed and dismissed with a reason, once`() async throws {
        let id = try recordOld("BA 1 CHA 1234")
        let alert = OverstayAlert(
            entryClientID: id, plate: Plate(canonical: "BA 1 CHA 1234"), vehicleType: .car, entryTime: noon,
            expectedExitBy: noon + .hours(4.5), isDoubtful: false)
        #expect(try store().alerts.raise([alert], at: noon + .hours(5)).count == 1)
        let list = try await run("overstays", "--json")
        #expect(list.objects.first?["plate"] as? String == "BA1CHA1234")
        let number = "\(list.objects.first?["id"] ?? "")"
        #expect(try await run("overstays", "dismiss", number, "--reason", " ").status == 2)
        #expect(try await run("overstays", "dismiss", number, "--reason", "seen at the south gate").status == 0)
        #expect(try await run("overstays", "dismiss", number, "--reason", "again").status == 1)
        #expect(try await run("overstays").output.contains("No vehicle"))
        let all = try await run("overstays", "--all", "--json")
        #expect(all.objects.first?["dismissed_reason"] as? String == "seen at the south gate")
    }

    @Test func `a passage is shown with what was changed about it, by whom and why`() async throws {
        let id = try recordOld("BA 1 CHA 1234").uuidString.lowercased()
        let corrected = try await run(
            "passages", "correct", String(id.prefix(8)), "BA 1 CHA 1284", "--reason", "a 3 taken for an 8", "--by",
            "sita")
        #expect(corrected.status == 0, "\(corrected.errors)")
        let again = try await run("passages", "correct", id, "ba 1 cha 1284", "--reason", "x")
        #expect(again.status == 1 && again.errors.contains("already"))
        let shown = try await run("passages", "show", id).output
        for part in ["BA 1 CHA 1284", "was BA 1 CHA 1234", "sita", "a 3 taken for an 8"] {
            #expect(shown.contains(part))
        }
        let changes = try await run("passages", "show", id, "--json").objects.first?["changes"] as? [[String: Any]]
        #expect(changes?.map { $0["old_plate"] as? String } == ["BA 1 CHA 1234"])
    }

    @Test func `a typed plate is taken whole or refused`() async throws {
        let id = try recordOld("BA 1 CHA 1234").uuidString
        for wrong in ["АMB1234", "BA١٢٣٤", "BA 1 CHA 12💥4", "BAG;4106", "A", "", "BAG4106BAG4106BAG4106"] {
            #expect(try await run("passages", "correct", id, wrong, "--reason", "x").status == 2, "\(wrong)")
            #expect(try await run("exempt", "add", wrong, "--reason", "x").status == 2, "\(wrong)")
        }
        #expect(try store().passages.list().map(\.passage.plate.compact) == ["BA1CHA1234"])
        #expect(try store().exemptPlates.list().isEmpty)
    }

    @Test func `what is kept with a record is one line that a terminal can show`() async throws {
        let id = try recordOld("BA 1 CHA 1234").uuidString
        let wrong = "a\u{1B}[31m"
        #expect(try await run("passages", "withdraw", id, "--reason", wrong).status == 2)
        #expect(try await run("passages", "withdraw", id, "--reason", "x", "--by", wrong).status == 2)
    }

    @Test func `records on a full output are an error, not silence`() async throws {
        _ = try recordOld("BA 1 CHA 1234")
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        for arguments in [["passages"], ["export"]] {
            let errors = Pipe()
            let process = try Program.start(arguments + ["--database", database], output: full, errors: errors)
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 1)
            #expect(text.contains("can't be written") && !text.contains("NSCocoa"), "\(text)")
        }
    }

    @Test func `an export that fails leaves nothing, and touches no other file`() async throws {
        _ = try recordOld("BA 1 CHA 1234")
        let kept = try folder.write("keep", to: "keep.csv.part")
        #expect(try await run("export", "--output", folder["keep.csv"].path).status == 0)
        #expect(try String(contentsOf: kept, encoding: .utf8) == "keep")
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(try await run("export", "--output", folder.url.path).status == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before)
    }

    @Test func `a replay never writes into an appliance's records`() async throws {
        try Data().write(to: folder["run.lock"])
        let result = try await run("replay", Checkout.samples.appendingPathComponent("drive/BNP-A").path)
        #expect(result.status == 1 && result.errors.contains("appliance"))
        #expect(!FileManager.default.fileExists(atPath: database))
    }

    @Test func `status names a picture that could not be read`() async throws {
        let store = try store()
        _ = try store.frames.commit(
            FrameCommit(
                camera: "gate", takenKey: "x.jpg", unreadable: .init(file: "x.jpg", reason: "the file is empty"),
                at: BoxClock.now))
        try store.close()
        let status = try await run("status")
        #expect(status.output.contains("unreadable pictures today: 1, the last: x.jpg: the file is empty"))
    }
}
