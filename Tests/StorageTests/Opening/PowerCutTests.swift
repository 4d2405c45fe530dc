import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("A power cut", .timeLimit(.minutes(10)))
struct PowerCutTests {
    /// A child process commits frames as fast as it can and notes each that was answered for; it is killed in the middle, over
    /// and over on the same database.
    @Test func `loses no frame that was answered for and leaves no passage without its queue entry`() async throws {
        let folder = try TestStore.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path
        for _ in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                try CommittingChild(folder: path).run()
            }
        }
        let answered = try String(contentsOf: folder.appendingPathComponent("answered"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
        #expect(answered.count > 20)

        let store = try Store(path: folder.appendingPathComponent("checkpost.sqlite").path)
        defer { try? store.close() }
        #expect(try store.findDamage() == nil)
        let taken = try store.frames.takenKeys(camera: "gate")
        #expect(answered.allSatisfy(taken.contains))
        // One passage and one queue entry a taken frame, each with its photo, nothing more and nothing less.
        var passages: [StoredPassage] = []
        try store.passages.forEach(PassageFilter()) { passages.append($0) }
        #expect(Set(passages.map(\.passage.plateRaw)) == taken)
        #expect(passages.count == taken.count)
        #expect(passages.allSatisfy { $0.queueStatus == .pending })
        #expect(try store.queue.counts()[.pending] == passages.count)
        let photos = PhotoStore(folder: folder)
        for passage in passages {
            let sha256 = try #require(passage.passage.photoSHA256)
            let photo = try #require(try store.photos.record(sha256: sha256))
            #expect(try photos.verify(photo))
        }
        // Opening it again and clearing up touches none of them.
        try photos.removeOrphans(in: store, writtenBefore: Instant(seconds: Date().timeIntervalSince1970 + 60))
        #expect(try store.photos.record(sha256: passages[0].passage.photoSHA256 ?? "").map(photos.verify) == true)
    }
}

/// What runs in the child.
private struct CommittingChild {
    let folder: String

    func run() throws {
        let store = try Store(path: folder + "/checkpost.sqlite")
        let photos = PhotoStore(folder: URL(fileURLWithPath: folder))
        let answered = open(folder + "/answered", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // The moment differs from run to run; any is as good as another. Nothing that follows from a seed would end there again.
        var random = SystemRandomNumberGenerator()
        let delay = UInt32.random(in: 30_000...250_000, using: &random)
        Thread.detachNewThread {
            // The moment of the cut.
            usleep(delay)
            kill(getpid(), SIGKILL)
        }
        // Two passages of one plate are two when a minute lies between them.
        var number = Double(try store.passages.list(limit: 100_000).count)
        while true {
            number += 1
            let key = UUID().uuidString
            let photo = try photos.keep(Data(key.utf8), recordedAt: minute(0), at: minute(0))
            var passage = samplePassage(at: number, photoSHA256: photo.sha256)
            passage.plateRaw = key
            try store.frames.commit(
                FrameCommit(
                    camera: "gate", takenKey: key, trackerState: Data(key.utf8), photos: [photo],
                    recordings: [.init(passage: passage, sighting: nil)], at: minute(0)))
            let line = Array((key + "\n").utf8)
            guard write(answered, line, line.count) == line.count else { return }
        }
    }
}
