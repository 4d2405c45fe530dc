import Enforcement
import Foundation
import Testing

@testable import Console

@Suite("Live pictures between processes", .serialized, .timeLimit(.minutes(10)))
struct LivePictureTests {
    private let folder: URL
    private let camera = LivePictures()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("checkpost-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func show(_ text: String, at seconds: Double) {
        let frame = Frame(
            picture: Data(text.utf8), recordedAt: Instant(seconds: seconds), clockState: .synchronised, camera: "gate")
        camera.show(frame, width: 640, height: 480, plates: [], arrivedAt: Instant(seconds: seconds))
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".live") }
    }

    @Test func `are there at the first look, newer ones follow, and nothing is written while nobody looks`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let publisher = LivePublisher(camera: "gate", pictures: camera, folder: folder)
        let publishing = Task { await publisher.run() }
        defer { publishing.cancel() }
        show("first", at: 1)
        // What must not come is waited for: a look takes half of that.
        try await Task.sleep(for: .milliseconds(600))
        #expect(try files().isEmpty)
        let console = LivePictures(reading: folder)
        // A busy machine may need a second look.
        var first = console.newest
        for _ in 0..<50 where first == nil {
            try await Task.sleep(for: .milliseconds(100))
            first = console.newest
        }
        #expect(first?.frame.picture == Data("first".utf8))
        #expect(first?.width == 640)
        show("second", at: 2)
        for _ in 0..<50 where console["gate"]?.arrivedAt == first?.arrivedAt {
            try await Task.sleep(for: .milliseconds(100))
        }
        let second = try #require(console["gate"])
        #expect(second.frame.picture == Data("second".utf8))
        #expect(second.number != first?.number, "a browser fetches it")
    }

    @Test func `that are no pictures are passed over`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for data in [Data(), Data([0, 0, 0, 1]), Data([255, 255, 255, 255, 1, 2, 3]), Data(repeating: 0, count: 100)] {
            try data.write(to: folder.appendingPathComponent("camera.gate.live"))
            #expect(LivePictures(reading: folder).newest == nil)
        }
    }
}
