import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

/// One post against the real server: its own database, clock and engine.
private final class Post {
    let folder: URL
    let store: Store
    let clock = TestClock()
    let surroundings = TestSurroundings()
    let engine: SyncEngine
    let code: String

    init(_ letter: String, _ park: RealPark, _ configure: (inout SyncSettings) -> Void = { _ in }) throws {
        code = "BNP-\(letter.uppercased())"
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("post-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try Store(path: folder.appendingPathComponent("checkpost.sqlite").path)
        var settings = SyncSettings()
        configure(&settings)
        engine = try SyncEngine(
            store: store, transport: CurlTransport(url: park.url),
            server: SyncServer(
                url: park.url, apiKey: park.key, email: "bnp-\(letter)@bnp.local",
                password: { "right-and-long-enough" }, checkpostCode: code, deviceID: "box-\(letter)", appVersion: "1"),
            settings: settings, tokens: TokenStore(path: folder.appendingPathComponent("tokens").path), clock: clock,
            surroundings: surroundings)
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    func record(_ plate: String, minute: Double) throws -> Passage {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car, checkpostCode: code,
            recordedAt: Instant(milliseconds: 1_795_255_200_000) + .minutes(minute), clockState: .synchronised,
            confidence: 0.9, origin: .camera)
        try store.record(passage, at: clock.now)
        clock.advance(.milliseconds(1))
        return passage
    }

    func run(seconds: Int = 1) throws {
        for _ in 0..<seconds {
            try engine.tick()
            clock.advance(.seconds(1))
        }
    }
}

/// These need the server's program beside the tests; the whole package builds it.
@Suite("A post and the real server", .enabled(if: RealPark.isPossible), .serialized)
struct RealServerTests {
    @Test func `see the same vehicle pass both posts, too fast`() throws {
        let park = try RealPark()
        let (a, b) = (try Post("a", park), try Post("b", park))
        let entry = try a.record("BA 1 PA 1234", minute: -30)
        try a.run()
        let exit = try b.record("BA 1 PA 1234", minute: 0)
        try b.run()
        try a.run(seconds: 31)
        for (post, own) in [(a, entry), (b, exit)] {
            let violation = try #require(try post.store.violations().first?.violation)
            #expect(violation.kind == .speeding)
            #expect(violation.state == .confirmed)
            #expect(violation.calculatedSpeedKmh == 90)
            #expect(violation.entryClientID == entry.clientID)
            #expect(violation.exitClientID == exit.clientID)
            #expect(try post.store.passage(clientID: own.clientID)?.isMatched == true)
        }
        let violation = try #require(try b.store.violations().first)
        try b.store.record(
            Outcome(kind: .fined, fineAmount: 500, notes: nil, recordedBy: "Sita", recordedAt: b.clock.now),
            ofViolation: violation.id)
        try b.run(seconds: 31)
        #expect(
            try park.query("select outcome_type, fine_amount, acted_by from violation_outcomes") == [
                "fined|500.00|Sita"
            ])
        #expect(try park.query("select count(*) from sync_runs")[0] != "0")
        #expect(try a.store.alarms().map(\.key).filter { $0 == "sync.account" }.isEmpty)
    }

    @Test func `agree on every passage, once and in order, when the server is killed in between`() throws {
        let park = try RealPark(port: Int.random(in: 20_000..<30_000))
        let post = try Post("a", park) { $0.queue.batchSize = 7 }
        var plates: [String] = []
        for round in 0..<3 {
            for number in 0..<20 {
                plates.append(try post.record("BA \(round + 1) PA \(1000 + number)", minute: 0).plate.compact)
            }
            if round == 1 {
                park.stop()
                try post.run(seconds: 90)
                try park.start()
            }
            try post.run(seconds: 60)
        }
        #expect(try park.query("select plate_number from vehicle_passages order by server_seq") == plates)
        #expect(try post.store.queueCounts()[.synced] == 60)
        #expect(try post.store.passages(limit: 100).allSatisfy { $0.serverID != nil })
    }

    @Test func `keep a photo under the passage's id`() throws {
        let park = try RealPark()
        let post = try Post("a", park)
        let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("deploy/samples/stills/clean_zonal_ba_car.jpg")
        post.surroundings.photo.bytes = try Data(contentsOf: sample)
        var passage = try post.record("BA 1 PA 1", minute: 0)
        passage = Passage(
            clientID: UUID(), plate: passage.plate, plateRaw: "x", vehicleType: .car, checkpostCode: "BNP-A",
            recordedAt: post.clock.now, clockState: .synchronised, origin: .camera,
            photoSHA256: String(repeating: "a", count: 64))
        var commit = FrameCommit(camera: "gate", at: post.clock.now)
        commit.photos = [
            PhotoRecord(
                sha256: String(repeating: "a", count: 64), path: "photos/a.jpg", bytes: 3, mediaType: "image/jpeg",
                keptAt: post.clock.now)
        ]
        commit.recordings = [.init(passage: passage, sighting: nil)]
        try post.store.commit(commit)
        try post.run(seconds: 5)
        let id = try #require(try post.store.passage(clientID: passage.clientID)?.serverID).uuidString.lowercased()
        #expect(
            try park.query("select photo_path from vehicle_passages where id = '\(id)'") == ["passage-photos/\(id).jpg"]
        )
        #expect(try park.query("select name from storage.objects") == ["\(id).jpg"])
    }

    /// Figures: `CHECKPOST_FIGURES=1 swift test --filter figures`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CHECKPOST_FIGURES"] != nil))
    func `figures of a queue of 2,000 passages and a pull of 500`() throws {
        let park = try RealPark()
        for size in [1, 50] {
            let post = try Post("a", park) { $0.queue.batchSize = size }
            for number in 0..<2000 { try post.record("BA \(size) PA \(1000 + number)", minute: -Double(number)) }
            let started = Date()
            while try post.store.queueCounts()[.synced] != 2000 { try post.run() }
            let seconds = Date().timeIntervalSince(started)
            print("figure: batches of \(size): \(Int(2000 / seconds)) passages a second, empty after \(seconds) s")
        }
        let post = try Post("b", park)
        let started = Date()
        try post.run()
        let count = try post.store.unmatchedRemotePassages(
            from: Instant(milliseconds: 0), to: Instant(milliseconds: 4_000_000_000_000)
        ).count
        print("figure: \(count) rows pulled in \(Date().timeIntervalSince(started)) s")
    }
}
