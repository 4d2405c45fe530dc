import Enforcement
import Foundation
import Storage
import Testing

@testable import checkpost

/// The sample day at both ends of the road, replayed once for all tests of this file.
private let drive = Task {
    let folder = try TemporaryFolder()
    let frames = Checkout.samples.appendingPathComponent("drive").path
    let result = try await Program.run([
        "replay", "BNP-A=\(frames)/BNP-A", "BNP-B=\(frames)/BNP-B", "--json", "--database", folder["posts"].path,
    ])
    struct Failed: Error { let text: String }
    guard result.status == 0 else { throw Failed(text: result.errors) }
    return (folder: folder, result: result)
}

@Suite("A day at both ends of the road")
struct DriveTests {
    private let summary: [String: Any]
    private let folder: TemporaryFolder
    private let ownA: TemporaryFolder

    init() async throws {
        let replayed = try await drive.value
        summary = try #require(replayed.result.objects.first)
        folder = replayed.folder
        ownA = try TemporaryFolder()
    }

    private func rows(_ name: String) -> [[String: Any]] { summary[name] as? [[String: Any]] ?? [] }

    /// A copy of one post's database, to be changed.
    private func copy(of post: String) throws -> String {
        let target = ownA["\(post).sqlite"].path
        for end in ["", "-wal"] {
            let file = folder["posts/\(post)/checkpost.sqlite\(end)"].path
            if FileManager.default.fileExists(atPath: file) {
                try FileManager.default.copyItem(atPath: file, toPath: target + end)
            }
        }
        return target
    }

    @Test func `finds who was too fast and who stayed too long, and nobody else`() {
        let found = Set(rows("violations").map { "\($0["plate"] ?? "") \($0["kind"] ?? "")" })
        #expect(found.isSuperset(of: ["UP32AB1234 speeding", "GAD2957 overstay"]))
        let truth: Set = ["UP32AB1234", "GAD2957", "BHE14PA6392"]
        #expect(rows("violations").allSatisfy { truth.contains($0["plate"] as? String ?? "") })
    }

    @Test func `records a vehicle once at each post, with the type that its plate tells`() {
        let passages = rows("passages")
        for plate in ["BAC5763", "UP32AB1234", "GAD2957", "BAG4106"] {
            let posts = passages.filter { $0["plate"] as? String == plate }.compactMap { $0["checkpost"] as? String }
            #expect(posts.sorted() == ["BNP-A", "BNP-B"], "\(plate) at \(posts)")
        }
        #expect(passages.first { $0["plate"] as? String == "GAD2957" }?["vehicle_type"] as? String == "truck")
    }

    @Test func `gives every passage the capture time of its frame and keeps the frame`() async throws {
        let store = try Store(path: try copy(of: "BNP-A"))
        let photos = PhotoStore(folder: folder["posts/BNP-A"])
        for stored in try store.passages() {
            let passage = stored.passage
            let sha = try #require(passage.photoSHA256)
            let photo = try #require(try store.photo(sha256: sha))
            #expect(try photos.verify(photo))
            let time = CivilTime(passage.recordedAt)
            let digits = passage.recordedAt.iso8601.filter(\.isNumber).prefix(14)
            let name =
                digits.prefix(8) + "T" + digits.suffix(6) + "." + String(format: "%03d", time.millisecond) + "Z.jpg"
            let frame = Checkout.samples.appendingPathComponent("drive/BNP-A/\(name)")
            #expect(try photos.read(photo) == Data(contentsOf: frame))
            #expect(passage.clockState == .simulated)
        }
    }

    @Test func `exports what can be imported at the other post, which then finds the same`() async throws {
        let a = try copy(of: "BNP-A")
        let exported = ownA["a.jsonl"].path
        #expect(
            try await Program.run(["export", "--database", a, "--format", "json", "--output", exported]).status == 0)
        let configuration = try ownA.write(
            """
            [post]
            code = "BNP-B"
            other_code = "BNP-A"
            [segment]
            distance_km = 45
            max_speed_kmh = 40
            min_speed_kmh = 10
            [[camera]]
            name = "gate"
            kind = "folder"
            path = "."
            """, to: "b.toml")
        // A post that recorded its own passages and has not heard of the other's.
        let b = ownA["fresh.sqlite"].path
        let source = try Store(path: try copy(of: "BNP-B"))
        let fresh = try Store(path: b)
        for stored in try source.passages() {
            var passage = stored.passage
            passage.photoSHA256 = nil
            _ = try fresh.record(passage, at: passage.recordedAt)
        }
        try fresh.close()
        for _ in 0..<2 {
            let result = try await Program.run([
                "import", "passages", exported, "--config", configuration.path, "--database", b,
            ])
            #expect(result.status == 0, "\(result.errors)")
        }
        let violations = try Store(path: b).violations().map { "\($0.violation.plate.compact) \($0.violation.kind)" }
        #expect(Set(violations).isSuperset(of: ["UP32AB1234 speeding", "GAD2957 overstay"]))
        #expect(Set(violations).count == violations.count)
    }

    @Test func `a corrected passage keeps both versions and loses its violation`() async throws {
        let a = try copy(of: "BNP-A")
        let id = try #require(
            try Store(path: a).passages(PassageFilter(platePart: "UP32AB1234")).first?.passage.clientID.uuidString)
        let result = try await Program.run([
            "passages", "correct", String(id.prefix(8)).lowercased(), "बा १ च १२३४", "--reason", "misread", "--by",
            "ram",
            "--database", a,
        ])
        #expect(result.status == 0, "\(result.errors)")
        let store = try Store(path: a)
        let clientID = try #require(UUID(uuidString: id))
        #expect(try store.passage(clientID: clientID)?.passage.plate.canonical == "BA 1 CHA 1234")
        #expect(try store.corrections(ofPassage: clientID).map(\.oldPlate.compact) == ["UP32AB1234"])
        #expect(try store.violations().allSatisfy { $0.violation.plate.compact != "UP32AB1234" })
    }

    @Test func `a withdrawn passage stays on record and takes part in no match`() async throws {
        let a = try copy(of: "BNP-A")
        let id = try #require(
            try Store(path: a).passages(PassageFilter(platePart: "GAD2957")).first?.passage.clientID.uuidString)
        let result = try await Program.run(["passages", "withdraw", id, "--reason", "a test drive", "--database", a])
        #expect(result.status == 0, "\(result.errors)")
        let stored = try #require(try Store(path: a).passages(PassageFilter(platePart: "GAD2957")).first)
        #expect(stored.withdrawnAt != nil)
        #expect(!stored.isMatched)
        #expect(stored.violation == nil)
    }

    @Test func `exports CSV whose cells can't run as formulas`() async throws {
        let a = try copy(of: "BNP-A")
        let store = try Store(path: a)
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1"), plateRaw: "=1+1,\"x\"", vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: Instant(milliseconds: 0), clockState: .simulated, origin: .manual)
        _ = try store.record(passage, at: Instant(milliseconds: 0))
        let result = try await Program.run(["export", "--database", a, "--to", "1970-01-02"])
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("client_id,recorded_at,checkpost,plate,"))
        #expect(lines[1].contains("\"'=1+1,\"\"x\"\"\""))
    }

    @Test func `an exempt vehicle's violation says so`() async throws {
        let a = try copy(of: "BNP-A")
        #expect(
            try await Program.run(["exempt", "add", "G AD 2957", "--reason", "park truck", "--database", a]).status == 0
        )
        let result = try await Program.run(["violations", "--json", "--database", a])
        let row = try #require(result.objects.first { $0["plate"] as? String == "GAD2957" })
        #expect(row["exempt_reason"] as? String == "park truck")
        #expect(try await Program.run(["exempt", "remove", "GAD2957", "--database", a]).status == 0)
        #expect(try await Program.run(["exempt", "remove", "GAD2957", "--database", a]).status == 1)
    }

    @Test func `scores pictures against their true plates`() async throws {
        let table = try ownA.write(
            """
            file,x,y,w,h,plate,country
            a.jpg,0,0,10,10,BAC5763,np
            none.jpg,0,0,10,10,X1,np
            """, to: "truth.csv")
        let frame = Checkout.samples.appendingPathComponent("drive/BNP-A/20261121T041530.250Z.jpg")
        try FileManager.default.copyItem(at: frame, to: ownA["a.jpg"])
        let result = try await Program.run(["replay", ownA.url.path, "--truth", table.path, "--json"])
        let report = try #require(result.objects.first)
        #expect(report["plates"] as? Int == 2)
        #expect(report["exact"] as? Int == 1)
        #expect(report["unreadable"] as? Int == 1)
        #expect((report["read_ms"] as? [String: Any])?["median"] != nil)
    }

    /// Post B, which has imported all that post A recorded, and its configuration.
    private func importing() async throws -> (database: String, configuration: String) {
        let configuration = try ownA.write(
            """
            [post]
            code = "BNP-B"
            other_code = "BNP-A"
            [segment]
            distance_km = 45
            max_speed_kmh = 40
            min_speed_kmh = 10
            [[camera]]
            name = "gate"
            kind = "folder"
            path = "."
            """, to: "b.toml")
        let fresh = ownA["fresh.sqlite"].path
        let store = try Store(path: fresh)
        for stored in try Store(path: try copy(of: "BNP-B")).passages() {
            var passage = stored.passage
            passage.photoSHA256 = nil
            _ = try store.record(passage, at: passage.recordedAt)
        }
        try store.close()
        return (fresh, configuration.path)
    }

    /// Exports post A's passages and imports them at B.
    private func exchange(
        _ a: String, _ b: (database: String, configuration: String), _ more: [String] = []
    ) async throws -> Program.Result {
        let file = ownA["exchange.jsonl"].path
        let exported = try await Program.run(["export", "--database", a, "--format", "json", "--output", file])
        #expect(exported.status == 0)
        return try await Program.run(
            ["import", "passages", file, "--config", b.configuration, "--database", b.database] + more)
    }

    @Test func `a passage that one post withdraws accuses nobody at the other`() async throws {
        let a = try copy(of: "BNP-A")
        let b = try await importing()
        #expect(try await exchange(a, b).status == 0)
        #expect(try Store(path: b.database).violations().contains { $0.violation.plate.compact == "UP32AB1234" })
        let id = try #require(
            try Store(path: a).passages(PassageFilter(platePart: "UP32AB1234")).first?.passage.clientID.uuidString)
        #expect(
            try await Program.run(["passages", "withdraw", id, "--reason", "wrong", "--database", a]).status == 0)
        let old = ownA["older.jsonl"]
        try FileManager.default.copyItem(at: ownA["exchange.jsonl"], to: old)
        let result = try await exchange(a, b)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("withdrawn: 1"))
        // An older file doesn't bring it back.
        let again = try await Program.run([
            "import", "passages", old.path, "--config", b.configuration, "--database", b.database,
        ])
        #expect(again.status == 0)
        #expect(again.output.contains("New passages: 0"))
        let store = try Store(path: b.database)
        #expect(try !store.violations().contains { $0.violation.plate.compact == "UP32AB1234" })
        #expect(try store.passages(PassageFilter(platePart: "UP32AB1234")).allSatisfy { !$0.isMatched })
    }

    @Test func `an exempt vehicle that stays too long raises no alert, another one does`() async throws {
        for (plate, alerts) in [("GAD2957", 0), ("BA 1 PA 1", 1)] {
            let b = try await importing()
            let configuration = b.configuration
            // Post B's own BAG4106 goes on to A; with nothing imported but a later passage, only the entries count.
            let late = try ownA.write(
                """
                {"client_id":"\(UUID().uuidString)","plate":"KO 1 PA 1","checkpost":"BNP-A","recorded_at":"2026-11-22T00:00:00Z"}
                """, to: "late.jsonl")
            let entries = try Store(path: b.database).passages().map(\.passage.plate.compact)
            for exempt in Set(entries).subtracting(["GAD2957"]).union([plate]) {
                let added = try await Program.run([
                    "exempt", "add", exempt, "--reason", "test", "--database", b.database,
                ])
                #expect(added.status == 0)
            }
            let result = try await Program.run([
                "import", "passages", late.path, "--complete", "--config", configuration, "--database", b.database,
            ])
            #expect(result.output.contains("overstay alerts: \(alerts)."), "\(result.output)\(result.errors)")
            try FileManager.default.removeItem(atPath: b.database)
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: b.database + end) }
            try? FileManager.default.removeItem(atPath: ownA["BNP-B.sqlite"].path)
            try? FileManager.default.removeItem(atPath: ownA["BNP-B.sqlite-wal"].path)
        }
    }

    @Test func `a row that can't be used costs nothing to the others`() async throws {
        let b = try await importing()
        let file = try ownA.write(
            """
            {"client_id":"q"}
            {"client_id":"\(UUID().uuidString)","plate":"KO 1 PA 1","checkpost":"BNP-A","recorded_at":"2026-11-21T00:00:00Z"}
            {"client_id":"\(UUID().uuidString)","pla
            """, to: "mixed.jsonl")
        let result = try await Program.run([
            "import", "passages", file.path, "--config", b.configuration, "--database", b.database,
        ])
        #expect(result.status == 1)
        #expect(result.output.contains("New passages: 1"))
        #expect(result.errors.contains("row 1: ") && result.errors.contains("row 3: "))
    }

    @Test func `an empty or short id changes no passage`() async throws {
        let a = try copy(of: "BNP-A")
        for id in ["", "a"] {
            #expect(
                try await Program.run(["passages", "withdraw", id, "--reason", "x", "--database", a]).status == 2)
        }
        #expect(try Store(path: a).passages().allSatisfy { $0.withdrawnAt == nil })
    }
}
