import Enforcement
import Foundation
import Storage
import Synchronizer
import Testing

@testable import Appliance

@Suite("The server's settings for a post", .timeLimit(.minutes(15)))
struct ServerSettingsTests {
    @Test func `reach the engine's settings over those of the file`() {
        var file = SyncSettings()
        file.interval = .seconds(45)
        file.pageSize = 100
        let server = ServerSettings([
            "sync.interval_seconds": "60", "sync.batch_size": "25", "sync.maximum_attempts": "7",
            "sync.longest_backoff_seconds": "90", "sync.window_buffer_hours": "12", "sync.overlap_seconds": "3",
            "sync.photos_per_cycle": "0", "sync.photo_kilobytes": "300", "sync.data_megabytes": "250",
            "matching.window_hours": "30",
            "sms.gateway_number": "\"+9779800000000\"",
        ])
        let (settings, problems) = SyncTuning.settings(of: file, under: server)
        #expect(problems == [])
        #expect(settings.interval == .seconds(60))
        #expect(settings.pageSize == 100)
        #expect(settings.queue.batchSize == 25 && settings.queue.maximumAttempts == 7)
        #expect(settings.queue.backoff.longestDelay == .seconds(90))
        #expect(settings.windowBuffer == .hours(12) && settings.overlap == .seconds(3))
        #expect(settings.photosACycle == 0 && settings.maximumPhotoBytes == 300_000)
        #expect(settings.photoAllowance.megabytesAMonth == 250)
        #expect(settings.window == .hours(30))
        #expect(server.gatewayNumber != nil)
    }

    @Test(arguments: [
        ("sync.interval_seconds", "0"), ("sync.interval_seconds", "\"soon\""), ("sync.batch_size", "2.5"),
        ("sync.batch_size", "null"), ("sync.data_megabytes", "-1"), ("matching.window_hours", "1e9"),
        ("matching.window_hours", "\"x\""),
        ("sms.gateway_number", "12"), ("sms.gateway_number", "\"nobody\""), ("sync.intervall", "3"),
    ])
    func `that can't stand are named, and the others hold`(key: String, value: String) {
        let server = ServerSettings([key: value, "sync.page_rows": "50"])
        let (settings, problems) = SyncTuning.settings(of: SyncSettings(), under: server)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix(key) == true)
        var expected = SyncSettings()
        expected.pageSize = 50
        #expect(settings == expected)
    }
}

@Suite("What commands say of the synchronization", .timeLimit(.minutes(15)))
struct SyncTextTests {
    @Test(arguments: [
        (0, "agrees with the server's"), (1999, "agrees with the server's"), (-1400, "agrees with the server's"),
        (2600, "3 s ahead of the server's"), (-61_000, "1 min behind the server's"),
        (3_600_000, "1 h 00 min ahead of the server's"),
    ])
    func `is a difference of clocks only when there is one`(milliseconds: Int64, text: String) {
        #expect(LinkReport.skewText(milliseconds) == text)
    }

    private struct Rig {
        let folder: String
        var database: String { folder + "/checkpost.sqlite" }

        /// Two passages with photos; those of the last `failed` ones failed.
        init(failed: Int) throws {
            folder = NSTemporaryDirectory() + "texts-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let store = try Store(path: folder + "/checkpost.sqlite")
            defer { try? store.close() }
            for number in 0..<2 {
                let hash = String(repeating: "\(number)", count: 64)
                let passage = Passage(
                    clientID: UUID(), plate: Plate(canonical: "BA 1 PA \(number + 1)"), plateRaw: "x",
                    vehicleType: .car,
                    checkpostCode: "BNP-A", recordedAt: BoxClock.now, clockState: .synchronised, origin: .camera,
                    photoSHA256: hash)
                var commit = FrameCommit(camera: "gate", at: BoxClock.now)
                commit.photos = [
                    PhotoRecord(
                        sha256: hash, path: "photos/\(number).jpg", bytes: 3, mediaType: "image/jpeg",
                        keptAt: BoxClock.now)
                ]
                commit.recordings = [.init(passage: passage, sighting: nil)]
                try store.frames.commit(commit)
            }
            var entries = try store.queue.entries()
            for index in entries.indices { entries[index].status = .synced }
            try store.queue.update(entries)
            for entry in entries.suffix(failed) {
                guard var upload = try store.photos.upload(ofPassage: entry.passageClientID) else { continue }
                (upload.status, upload.lastError) = (.failed, "the file is missing")
                try store.photos.update(upload)
            }
        }

        func queue(_ arguments: String...) async throws -> String {
            try await Program.run(["queue"] + arguments + ["--database", database]).output
        }
    }

    @Test func `counts photos that wait apart from those that failed, and says why they did and what helps`()
        async throws
    {
        let rig = try Rig(failed: 1)
        defer { try? FileManager.default.removeItem(atPath: rig.folder) }
        let said =
            "1 photo waiting, 1 photo failed, the last: the file is missing; `checkpost queue retry --failed` sends them again"
        #expect(try await rig.queue() == "No record waits; \(said).\n")
        #expect(try await rig.queue("retry", "--failed") == "1 photo is back in line.\n")
        #expect(try await rig.queue() == "No record waits; 2 photos waiting.\n")
        #expect(try await rig.queue("retry", "--failed") == "Nothing failed: nothing is to be sent again.\n")
        #expect(try await rig.queue("--failed") == "Nothing failed.\n")
    }
}
