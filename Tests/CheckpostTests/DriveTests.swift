import Enforcement
import Foundation
import Storage
import Testing

@Suite("A day at both ends of the road", .timeLimit(.minutes(15)))
struct DriveTests {
    private let summary: [String: Any]
    private let folder: TemporaryFolder
    private let ownA: TemporaryFolder

    init() async throws {
        let replayed = try await SampleDay.replayed.value
        summary = try #require(replayed.result.objects.first)
        folder = replayed.folder
        ownA = try TemporaryFolder()
    }

    private func rows(_ name: String) -> [[String: Any]] { summary[name] as? [[String: Any]] ?? [] }

    private func copy(of post: String) throws -> String { try SampleDay.copy(of: post, in: folder, to: ownA) }

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
        for stored in try store.passages.list() {
            let passage = stored.passage
            let sha = try #require(passage.photoSHA256)
            let photo = try #require(try store.photos.record(sha256: sha))
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

    @Test func `a corrected passage keeps both versions and loses its violation`() async throws {
        let a = try copy(of: "BNP-A")
        let id = try #require(
            try Store(path: a).passages.list(PassageFilter(platePart: "UP32AB1234")).first?.passage.clientID.uuidString)
        let result = try await Program.run([
            "passages", "correct", String(id.prefix(8)).lowercased(), "बा १ च १२३४", "--reason", "misread", "--by",
            "ram",
            "--database", a,
        ])
        #expect(result.status == 0, "\(result.errors)")
        let store = try Store(path: a)
        let clientID = try #require(UUID(uuidString: id))
        #expect(try store.passages.passage(clientID: clientID)?.passage.plate.canonical == "BA 1 CHA 1234")
        #expect(try store.passages.corrections(ofPassage: clientID).map(\.oldPlate.compact) == ["UP32AB1234"])
        #expect(try store.violations.list().allSatisfy { $0.violation.plate.compact != "UP32AB1234" })
    }

    @Test func `a withdrawn passage stays on record and takes part in no match`() async throws {
        let a = try copy(of: "BNP-A")
        let id = try #require(
            try Store(path: a).passages.list(PassageFilter(platePart: "GAD2957")).first?.passage.clientID.uuidString)
        let result = try await Program.run(["passages", "withdraw", id, "--reason", "a test drive", "--database", a])
        #expect(result.status == 0, "\(result.errors)")
        let stored = try #require(try Store(path: a).passages.list(PassageFilter(platePart: "GAD2957")).first)
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
        _ = try store.passages.record(passage, at: Instant(milliseconds: 0))
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

    @Test func `scores plates by their format, each by what was read at its place`() async throws {
        let stills = Checkout.samples.appendingPathComponent("stills")
        for name in ["clean_zonal_me_truck.jpg", "clean_europe_car.jpg"] {
            try FileManager.default.copyItem(at: stills.appendingPathComponent(name), to: ownA[name])
        }
        let table = try ownA.write(
            """
            file,x,y,w,h,plate,country
            clean_zonal_me_truck.jpg,520,514,240,124,मे१क५९२४,np
            clean_zonal_me_truck.jpg,20,14,100,60,बा१प१,np
            clean_europe_car.jpg,519,449,242,52,KR8T274,eu
            """, to: "truth.csv")
        let score = ["replay", ownA.url.path, "--truth", table.path, "--json"]
        func zonal(_ arguments: String...) async throws -> [String: Int]? {
            let formats = try await Program.run(score + arguments).objects.first?["formats"] as? [String: [String: Int]]
            return formats?["np-zonal"]
        }
        #expect(try await zonal("--by-box") == ["plates": 2, "right": 1, "found": 1])
        #expect(try await zonal("--prefix", "clean_europe") == nil)
        #expect(try await Program.run(score + ["--prefix", "nothing"]).status == 1)
        #expect(try await Program.run(["replay", ownA.url.path, "--by-box"]).status == 2)
    }

    @Test func `an empty or short id changes no passage`() async throws {
        let a = try copy(of: "BNP-A")
        for id in ["", "a"] {
            #expect(
                try await Program.run(["passages", "withdraw", id, "--reason", "x", "--database", a]).status == 2)
        }
        #expect(try Store(path: a).passages.list().allSatisfy { $0.withdrawnAt == nil })
    }
}
