import Enforcement
import Foundation
import Storage
import Testing

@Suite("Two posts that exchange their passages by file", .timeLimit(.minutes(15)))
struct ExchangeTests {
    private let folder: TemporaryFolder
    private let ownA: TemporaryFolder

    init() async throws {
        folder = try await SampleDay.replayed.value.folder
        ownA = try TemporaryFolder()
    }

    private func copy(of post: String) throws -> String { try SampleDay.copy(of: post, in: folder, to: ownA) }

    /// Post B, which recorded its own passages and has not heard of A's, and its configuration.
    private func importing() async throws -> (database: String, configuration: String) {
        let configuration = try configuration("BNP-B", other: "BNP-A", to: "b.toml")
        let fresh = ownA["fresh.sqlite"].path
        let store = try Store(path: fresh)
        for stored in try Store(path: try copy(of: "BNP-B")).passages.list() {
            var passage = stored.passage
            passage.photoSHA256 = nil
            _ = try store.passages.record(passage, at: passage.recordedAt)
        }
        try store.close()
        return (fresh, configuration)
    }

    private func configuration(_ code: String, other: String, to file: String) throws -> String {
        try ownA.write(
            """
            [post]
            code = "\(code)"
            other_code = "\(other)"
            [segment]
            distance_km = 45
            max_speed_kmh = 40
            min_speed_kmh = 10
            [[camera]]
            name = "gate"
            kind = "folder"
            path = "."
            """, to: file
        ).path
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
        #expect(try Store(path: b.database).violations.list().contains { $0.violation.plate.compact == "UP32AB1234" })
        let id = try #require(
            try Store(path: a).passages.list(PassageFilter(platePart: "UP32AB1234")).first?.passage.clientID.uuidString)
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
        #expect(try !store.violations.list().contains { $0.violation.plate.compact == "UP32AB1234" })
        #expect(try store.passages.list(PassageFilter(platePart: "UP32AB1234")).allSatisfy { !$0.isMatched })
    }

    @Test(arguments: [nil, "entering", "leaving"])
    func `a passage that left the road at one post is the beginning of no drive at the other`(travel: String?)
        async throws
    {
        let b = try await importing()
        let store = try Store(path: b.database)
        let exit = try #require(try store.passages.list(PassageFilter(platePart: "UP32AB1234")).first?.passage)
        let entry = exit.recordedAt - .minutes(40)
        let row = """
            {"client_id": "\(UUID().uuidString)", "plate": "UP32AB1234", "vehicle_type": "car", "checkpost": "BNP-A",
            "recorded_at": "\(entry.iso8601)", "clock_state": "synchronised"\(travel.map { ", \"travel\": \"\($0)\"" } ?? "")}
            """.replacingOccurrences(of: "\n", with: " ")
        let file = try ownA.write(row, to: "one.jsonl")
        let result = try await Program.run([
            "import", "passages", file.path, "--config", b.configuration, "--database", b.database,
        ])
        #expect(result.status == 0, "\(result)")
        #expect(try store.violations.list().map(\.violation.kind) == (travel == "leaving" ? [] : [.speeding]))
    }

    @Test func `a file that holds no JSON is refused with how to make one`() async throws {
        let b = try await importing()
        let csv = try await Program.run(["export", "passages", "--database", copy(of: "BNP-A")])
        let file = try ownA.write(csv.output, to: "passages.csv")
        let result = try await Program.run([
            "import", "passages", file.path, "--config", b.configuration, "--database", b.database,
        ])
        #expect(result.status == 1 && result.errors.contains("export passages --format json"), "\(result)")
        #expect(result.errors.split(separator: "\n").count <= 3, "\(result.errors)")
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
            let entries = try Store(path: b.database).passages.list().map(\.passage.plate.compact)
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

    @Test(arguments: [
        #""checkpost":"BNP-C","recorded_at":"2026-11-21T00:00:00Z""#,
        #""checkpost":"BNP-B","recorded_at":"2026-11-21T00:00:00Z""#,
        #""checkpost":"BNP-A","recorded_at":"9999-11-21T00:00:00Z""#,
        #""checkpost":"BNP-A","recorded_at":"0001-11-21T00:00:00Z""#,
        #""checkpost":"BNP-A","recorded_at":"2026-11-21T00:00:00Z","clock_state":"fine""#,
        #""checkpost":"BNP-A","recorded_at":"2026-11-21T00:00:00Z","vehicle_type":"ufo""#,
    ])
    func `a row of another road, another age or with unknown words is refused`(_ rest: String) async throws {
        let b = try await importing()
        let row = #"{"client_id":"\#(UUID().uuidString)","plate":"KO 1 PA 1",\#(rest)}"#
        let file = try ownA.write(row, to: "one.jsonl")
        let result = try await Program.run([
            "import", "passages", file.path, "--complete", "--config", b.configuration, "--database", b.database,
        ])
        #expect(result.status == 1)
        #expect(result.errors.contains("row 1: "))
        #expect(result.errors.contains("not taken as complete"))
        #expect(try Store(path: b.database).cursors.otherPostKnownUpTo() == nil)
    }

    @Test func `a passage without its clock's state makes no violation`() async throws {
        let b = try await importing()
        let row =
            #"{"client_id":"\#(UUID().uuidString)","plate":"UP32AB1234","checkpost":"BNP-A","recorded_at":"2026-11-21T04:21:30Z"}"#
        let file = try ownA.write(row, to: "one.jsonl")
        let result = try await Program.run([
            "import", "passages", file.path, "--config", b.configuration, "--database", b.database,
        ])
        #expect(result.status == 0 && result.output.contains("violations: 0"))
        let list = try await Program.run(["passages", "--plate", "UP32", "--database", b.database])
        #expect(list.output.contains("clock untrusted"))
    }

    @Test func `a row that can't be used costs nothing to the others`() async throws {
        let b = try await importing()
        // An editor has put its mark before everything.
        let file = try ownA.write(
            """
            \u{FEFF}{"client_id":"q"}
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

    @Test func `what one post exports is imported at the other, which then finds the same, once`() async throws {
        let a = try copy(of: "BNP-A")
        let b = try await importing()
        for _ in 0..<2 {
            let result = try await exchange(a, b)
            #expect(result.status == 0, "\(result.errors)")
        }
        let violations = try Store(path: b.database).violations.list()
            .map { "\($0.violation.plate.compact) \($0.violation.kind)" }
        #expect(Set(violations).isSuperset(of: ["UP32AB1234 speeding", "GAD2957 overstay"]))
        #expect(Set(violations).count == violations.count)
    }

    @Test func `a vehicle that waits for review at the other post is not inside too long`() async throws {
        let (a, b) = (try copy(of: "BNP-A"), try copy(of: "BNP-B"))
        let configuration = try configuration("BNP-A", other: "BNP-B", to: "a.toml")
        let configurationB = try self.configuration("BNP-B", other: "BNP-A", to: "b.toml")
        for sighting in try Store(path: a).sightings.list(in: .review) {
            let recorded = try await Program.run([
                "reviews", "record", sighting.sighting.id, "--by", "Sita", "--database", a, "--config", configuration,
            ])
            #expect(recorded.status == 0, "\(recorded.errors)")
        }
        let waiting = try Store(path: b).sightings.list(in: .review).map(\.sighting.reading.plate.compact)
        #expect(waiting.sorted() == ["P502011PA3685", "P503006KHA4518"])
        /// Exports B's day, imports it at A, and says which vehicles are inside too long.
        func overstaysAtA() async throws -> [String] {
            let file = ownA["b.jsonl"].path
            #expect(
                try await Program.run(["export", "--database", b, "--format", "json", "--output", file]).status == 0)
            let imported = try await Program.run([
                "import", "passages", file, "--complete", "--config", configuration, "--database", a,
            ])
            #expect(imported.status == 0, "\(imported.errors)")
            return try Store(path: a).alerts.list().map { "\($0.alert.plate.compact) \($0.alert.isDoubtful)" }
        }
        #expect(try await overstaysAtA().contains("BA3CHA8274 false"))
        let rows = try String(contentsOfFile: ownA["b.jsonl"].path, encoding: .utf8).split(separator: "\n")
        #expect(rows.last?.contains("P5 03 006 KHA 4518") == true)
        #expect(rows.filter { $0.contains("post_reviews") }.count == 1)
        // Days later nobody has looked: they are raised, as doubtful, and say what they wait for.
        let list = try await Program.run(["overstays", "--database", a])
        #expect(list.errors.contains("is not on record there, or not yet"))
        // Once B's ranger has recorded them they are matched, and nobody is looked for in vain.
        for sighting in try Store(path: b).sightings.list(in: .review) {
            let recorded = try await Program.run([
                "reviews", "record", sighting.sighting.id, "--by", "Ram", "--database", b, "--config",
                configurationB,
            ])
            #expect(recorded.status == 0, "\(recorded.errors)")
        }
        #expect(try await overstaysAtA() == ["BA3CHA8274 false"])
    }
}
