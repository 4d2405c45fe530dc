import Enforcement
import Foundation
import Testing

@testable import Capture

/// As cameras fill a folder by FTP: one folder a day, one an hour in it.
@Suite("A watched folder with folders in it", .timeLimit(.minutes(10)))
struct FolderTreeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }

    @Test func `gives what lies in them, and what comes into them`() async throws {
        try make("2026-11-21/10")
        try folder.write(Pictures.pgm(1), "2026-11-21/10/20261121T101500Z.pgm")
        try folder.age("2026-11-21/10/20261121T101500Z.pgm", seconds: 60)
        try await running(folder.source()) { given in
            try await eventually("what was there") { given.names == ["20261121T101500Z.pgm"] }
            try folder.write(Pictures.pgm(2), "2026-11-21/10/20261121T101501Z.pgm")
            try await eventually("the next") { given.frames.count == 2 }
            // The hour changes, then the day: nobody has told the box of these folders.
            try make("2026-11-21/11")
            try folder.write(Pictures.pgm(3), "2026-11-21/11/20261121T110000Z.pgm")
            try await eventually("of the new hour") { given.names.last == "20261121T110000Z.pgm" }
            try make("2026-11-22/00")
            try folder.write(Pictures.pgm(4), "2026-11-22/00/20261122T000000Z.pgm")
            try await eventually("of the new day") { given.names.last == "20261122T000000Z.pgm" }
            #expect(given.frames.last?.recordedAt == Instant(iso8601: "2026-11-22T00:00:00Z"))
            try FileManager.default.removeItem(atPath: folder.file("2026-11-21"))
            try folder.write(Pictures.pgm(5), "2026-11-22/00/20261122T000001Z.pgm")
            try await eventually("after a day was removed") { given.frames.count == 5 }
        }
    }

    @Test func `is given a picture once, also when it is moved to another of them`() async throws {
        let known = Guarded(Set<String>())
        func source() -> FolderSource {
            FolderSource(
                camera: "gate", path: folder.path, mode: .drain, clock: .simulated,
                taken: { keys in known.withLock { taken in Set(keys.filter(taken.contains)) } })
        }
        try folder.write(Pictures.pgm(1), "a.pgm")
        let before = try source().sourceKeys()
        known.withLock { $0 = before }
        try make("done")
        try FileManager.default.moveItem(atPath: folder.file("a.pgm"), toPath: folder.file("done/a.pgm"))
        try make("other")
        try folder.write(Pictures.pgm(2), "other/a.pgm")
        let collector = Collector()
        try await source().run { collector.take($0) }
        #expect(collector.frames.map(\.picture) == [Pictures.pgm(2)])
    }

    @Test func `looks into no hidden one, follows no link, and goes only so deep`() throws {
        try make(".trash")
        try make("1/2/3/4/5")
        for name in [".trash/a.pgm", "1/2/3/4/b.pgm", "1/2/3/4/5/c.pgm"] { try folder.write(Pictures.pgm(), name) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("1/around"), withDestinationPath: folder.path)
        let listing = try FolderDirectory(path: folder.path).listing()
        #expect(listing.files.map(\.name) == ["1/2/3/4/b.pgm"])
        #expect(Set(listing.folders) == ["1", "1/2", "1/2/3", "1/2/3/4"])
    }
}
