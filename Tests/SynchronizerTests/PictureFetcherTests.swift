import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

/// These need the server's program beside the tests; the whole package builds it.
@Suite("Fetching the other post's pictures", .enabled(if: RealPark.isPossible), .serialized, .timeLimit(.minutes(10)))
struct PictureFetcherTests {
    private func fetcher(_ post: Post, _ park: RealPark, url: String? = nil) -> PictureFetcher {
        PictureFetcher(
            server: .init(url: url ?? park.url, apiKey: park.key, email: "bnp-b@bnp.local"),
            tokens: TokenStore(path: post.folder.appendingPathComponent("tokens").path),
            pictures: OtherPostPictures(folder: post.folder))
    }

    /// Waits until the fetcher has an answer to a wish.
    private func answer(_ fetcher: PictureFetcher, _ passage: UUID) async throws -> PictureWishes.Answer? {
        for _ in 0..<600 {
            if let answer = fetcher.want(passage) { return answer }
            try await Task.sleep(for: .milliseconds(100))
        }
        return nil
    }

    @Test func `brings the one that the other post has sent, and waits for one that it has not`() async throws {
        let park = try RealPark()
        let (a, b) = (try Post("a", park), try Post("b", park))
        let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("deploy/samples/drive/BNP-A")
        let file = try #require(
            try FileManager.default.contentsOfDirectory(at: sample, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "jpg" }.min { $0.path < $1.path })
        a.surroundings.photo.bytes = try Data(contentsOf: file)
        let hash = String(repeating: "a", count: 64)
        let seen = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "", vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: a.clock.now - .minutes(30), clockState: .synchronised, confidence: 0.9,
            origin: .camera, photoSHA256: hash)
        var commit = FrameCommit(
            camera: "gate", recordings: [.init(passage: seen, sighting: nil)], at: a.clock.now)
        commit.photos = [
            PhotoRecord(sha256: hash, path: "photos/a.jpg", bytes: 3, mediaType: "image/jpeg", keptAt: a.clock.now)
        ]
        try a.store.frames.commit(commit)
        let blind = try a.record("BA 1 PA 77", minute: -20)
        try a.run(seconds: 31)
        try b.run()
        let fetcher = fetcher(b, park)
        let running = Task { await fetcher.run() }
        #expect(try await answer(fetcher, blind.clientID) == .notYet)
        #expect(try await answer(fetcher, UUID()) == .notYet, "a passage that the server doesn't have")
        fetcher.want(seen.clientID)
        var arrivals = fetcher.arrived.makeAsyncIterator()
        #expect(await arrivals.next() == seen.clientID)
        let picture = OtherPostPictures(folder: b.folder).read(seen.clientID)
        #expect(picture?.bytes == a.surroundings.photo.bytes)
        #expect(picture?.mediaType == "image/jpeg")
        running.cancel()
        await running.value
    }

    @Test func `says that a server is out of reach, and stops when it is told to`() async throws {
        let park = try RealPark()
        let b = try Post("b", park)
        try b.run()
        let fetcher = fetcher(b, park)
        park.stop()
        // It takes a moment to end.
        #expect(try await eventually { fetcher.fetch(UUID()) == .silent })
        let running = Task { await fetcher.run() }
        #expect(try await answer(fetcher, UUID()) == .silent)
        running.cancel()
        await running.value
    }

    @Test func `asks nothing before the post has signed in`() async throws {
        let park = try RealPark()
        let b = try Post("b", park)
        let fetcher = fetcher(b, park)
        let running = Task { await fetcher.run() }
        #expect(try await answer(fetcher, UUID()) == .silent)
        running.cancel()
        await running.value
    }
}
