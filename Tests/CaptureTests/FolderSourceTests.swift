import Enforcement
import Foundation
import Testing

@testable import Capture

@Suite("A watched folder", .timeLimit(.minutes(10)))
struct FolderSourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `gives a file when it is closed, not while it is written`() async throws {
        // On a busy machine the second half may come late.
        try await running(folder.source(truncatedAfter: .minutes(10))) { given in
            try await eventually("open") { given.isOpen }
            let picture = Pictures.jpeg()
            try Data().write(to: URL(fileURLWithPath: folder.file("a.jpg")))
            let handle = try #require(FileHandle(forWritingAtPath: folder.file("a.jpg")))
            try handle.write(contentsOf: picture.prefix(20))
            try folder.write(Pictures.pgm(), "later.pgm")
            try await eventually("the other file") { given.names.contains("later.pgm") }
            #expect(given.names == ["later.pgm"])
            try handle.write(contentsOf: picture.dropFirst(20))
            try handle.close()
            try await eventually("the file") { given.names.contains("a.jpg") }
            #expect(given.frames.last?.picture == picture)
            #expect(given.unreadable.isEmpty)
        }
    }

    @Test func `tells once of each kind of file that it passes over, and when the last is gone`() async throws {
        let told = Guarded([PassedOverFiles]())
        for name in [
            "a.webp", "b.webp", "c.BMP", "day.mp4", "note.txt", ".hidden.tif", "good.pgm", "frame.dat", "frame",
        ] {
            try folder.write(Pictures.pgm(), name)
        }
        try FileManager.default.createDirectory(
            atPath: folder.file("2026/11/25/01/02/03"), withIntermediateDirectories: true)
        // A name in Latin-1, as an old camera writes it.
        let latin = Array((folder.path + "/stra").utf8) + [0xDF, 0x65] + Array(".jpg".utf8)
        let descriptor = (latin + [0]).withUnsafeBytes { bytes in
            open(bytes.bindMemory(to: CChar.self).baseAddress!, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        }
        #expect(descriptor >= 0)
        close(descriptor)
        let source = FolderSource(
            camera: "gate", path: folder.path, mode: .watch, clock: .simulated,
            passOver: { files in told.withLock { $0.append(files) } })
        try await running(source) { given in
            try await eventually("the picture") { given.names == ["good.pgm"] }
            let first = try #require(told.withLock { $0 }.first)
            #expect(first.kinds == ["", "webp", "bmp", "mp4", "dat", ".", "/"])
            #expect(first.description.contains("names without an ending (such as frame)"), "\(first.description)")
            #expect(first.description.contains("folders more than 4 deep (such as 2026/11/25/01/02)"))
            #expect(first.description.contains("names that aren't UTF-8 (such as stra"), "\(first.description)")
            #expect(first.description.contains(".bmp (such as c.BMP)"))
            try folder.write(Pictures.pgm(), "another.webp")
            for name in ["a.webp", "b.webp", "another.webp", "c.BMP", "day.mp4", "frame.dat", "frame", "2026"] {
                try FileManager.default.removeItem(atPath: folder.file(name))
            }
            _ = (latin + [0]).withUnsafeBytes { unlink($0.bindMemory(to: CChar.self).baseAddress!) }
            try await eventually("the end of it") { told.withLock { $0 }.last?.isEmpty == true }
            #expect(told.withLock { $0 }.count == 2)
        }
    }

    @Test func `is not open for a moment at each try while its folder is missing`() async throws {
        let source = FolderSource(camera: "gate", path: folder.file("nowhere"), mode: .watch, clock: .simulated)
        let given = Guarded(0)
        await #expect(throws: CameraFailure.self) {
            try await source.run { _ in given.withLock { $0 += 1 } }
        }
        #expect(given.withLock { $0 } == 0)
    }

    @Test func `gives a file that is moved in`() async throws {
        try folder.write(Pictures.pgm(), ".upload.tmp")
        try await running(folder.source()) { given in
            try await eventually("open") { given.isOpen }
            try FileManager.default.moveItem(atPath: folder.file(".upload.tmp"), toPath: folder.file("in.PGM"))
            try await eventually("the file") { given.names == ["in.PGM"] }
        }
    }

    @Test func `gives what lay there before, in the order of capture, and only once`() async throws {
        try folder.write(Pictures.pgm(1), "z_20261121T101500Z.pgm")
        try folder.write(Pictures.pgm(2), "b_20261121T101501Z.pgm")
        try folder.write(Pictures.pgm(3), "a_20261121T101501Z.pgm")
        let exif = Pictures.exif(date: "2026:11:21 10:14:00", offset: "+00:00")
        try folder.write(Pictures.jpeg(exif: exif), "c_20261121T111502Z.jpg")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try folder.age(name, seconds: 60)
        }
        try await running(folder.source()) { given in
            try await eventually("four frames") { given.frames.count >= 4 }
            #expect(
                given.names == [
                    "c_20261121T111502Z.jpg", "z_20261121T101500Z.pgm", "a_20261121T101501Z.pgm",
                    "b_20261121T101501Z.pgm",
                ])
            #expect(given.frames[0].recordedAt == Instant(iso8601: "2026-11-21T10:14:00Z"))
            try folder.write(Pictures.pgm(9), "new.pgm")
            try await eventually("the new one") { given.names.contains("new.pgm") }
            #expect(given.frames.count == 5)
        }
    }

    @Test func `gives what came just before a restart before what comes just after it`() async throws {
        // Whoever only lists the folder has to wait until this one has rested; the kernel says of the other that it is whole.
        try folder.write(Pictures.pgm(1), "20261121T101500Z.pgm")
        try await running(folder.source()) { given in
            try await eventually("open") { given.isOpen }
            try folder.write(Pictures.pgm(2), ".arriving")
            try FileManager.default.moveItem(
                atPath: folder.file(".arriving"), toPath: folder.file("20261121T101501Z.pgm"))
            try await eventually("both") { given.frames.count >= 2 }
            #expect(given.names == ["20261121T101500Z.pgm", "20261121T101501Z.pgm"])
        }
    }

    @Test func `has caught up when nothing waits, also beside a picture that never becomes whole`() async throws {
        let source = folder.source(truncatedAfter: .seconds(3))
        #expect(!source.isCaughtUp, "nobody has looked yet")
        try folder.write(Pictures.pgm(), "first.pgm")
        let collector = Collector()
        let task = Task {
            try await source.run { item in
                // What waits behind it is not there for the tracker yet.
                if case .frame = item { #expect(!source.isCaughtUp) }
                collector.take(item)
            }
        }
        try await eventually("the frame") { collector.names == ["first.pgm"] }
        try await eventually("all is looked at") { source.isCaughtUp }
        try folder.write(Pictures.jpeg().prefix(20), "half.jpg")
        try await eventually("the half picture is waited for") { !source.isCaughtUp }
        try await eventually("and not for ever") { source.isCaughtUp }
        task.cancel()
        _ = await task.result
        #expect(source.isCaughtUp, "a source that ended keeps nobody waiting")
    }

    @Test func `does not repeat after a restart what the consumer remembered`() async throws {
        for index in 0..<1200 { try folder.write(Pictures.pgm(UInt8(index % 200)), "\(index).pgm") }
        let first = Collector()
        try await folder.source(.drain).run { first.take($0) }
        #expect(first.frames.count == 1200)
        let remembered = Set(first.frames.prefix(1199).compactMap(\.sourceKey))
        let second = Collector()
        try await folder.source(.drain, taken: { remembered.intersection($0) }).run { second.take($0) }
        #expect(second.frames == [first.frames[1199]])
    }

    @Test func `takes a file that is written anew under its old name as a new frame`() async throws {
        try await running(folder.source()) { given in
            try await eventually("open") { given.isOpen }
            try folder.write(Pictures.jpeg(coded: 10), "now.jpg")
            try await eventually("the first") { given.frames.count == 1 }
            try folder.write(Pictures.jpeg(coded: 20), "now.jpg")
            try await eventually("the second") { given.frames.count == 2 }
            #expect(given.frames[0].sourceKey != given.frames[1].sourceKey)
        }
    }

    @Test func `tells of each bad file once and goes on`() async throws {
        try folder.write(Data("no picture".utf8), "a.jpg")
        try folder.write(Data(), "b.png")
        try folder.write(Pictures.jpeg().dropLast(2), "c.jpg")
        try Data().write(to: URL(fileURLWithPath: folder.file("d.jpg")))
        #expect(truncate(folder.file("d.jpg"), 41 << 20) == 0)
        #expect(mkfifo(folder.file("e.jpg"), 0o600) == 0)
        try FileManager.default.createDirectory(atPath: folder.file("f.jpg"), withIntermediateDirectories: false)
        try folder.write(Data("notes".utf8), "readme.txt")
        try folder.write(Pictures.pgm(), "good.pgm")
        for name in ["a.jpg", "b.png", "c.jpg", "d.jpg", "good.pgm"] { try folder.age(name, seconds: 60) }
        try await running(folder.source()) { given in
            try await eventually("all of them") { given.items.count >= 6 }
            #expect(given.names == ["good.pgm"])
            #expect(given.unreadable.map(\.name).sorted() == ["a.jpg", "b.png", "c.jpg", "d.jpg"])
            #expect(given.unreadable.allSatisfy { $0.sourceKey != nil && $0.camera == "gate" })
            try folder.write(Pictures.pgm(1), "next.pgm")
            try await eventually("the next") { given.names.contains("next.pgm") }
            #expect(given.unreadable.count == 4)
        }
    }

    @Test func `waits for the rest of a picture that breaks off`() async throws {
        let picture = Pictures.jpeg()
        try await running(folder.source(truncatedAfter: .minutes(10))) { given in
            try await eventually("open") { given.isOpen }
            try folder.write(picture.prefix(30), "slow.jpg")
            try folder.write(Pictures.pgm(), "other.pgm")
            try await eventually("the other") { given.names == ["other.pgm"] }
            let handle = try #require(FileHandle(forWritingAtPath: folder.file("slow.jpg")))
            try handle.seekToEnd()
            try handle.write(contentsOf: picture.dropFirst(30))
            try handle.close()
            try await eventually("the whole") { given.names == ["other.pgm", "slow.jpg"] }
            #expect(given.unreadable.isEmpty)
        }
    }

    @Test func `is paced by its consumer and drops nothing`() async throws {
        for index in 0..<60 { try folder.write(Pictures.pgm(UInt8(index)), "\(index).pgm") }
        let supervised = SupervisedSource(
            camera: "gate", source: folder.source(.drain), silentAfter: nil, bufferCapacity: 2)
        let given = Collector()
        try await supervised.run {
            // The slowness itself.
            try await Task.sleep(for: .milliseconds(3))
            given.take($0)
        } report: {
            given.report($0)
        }
        #expect(given.frames.count == 60)
        #expect(supervised.status.droppedCount == 0)
        #expect(given.events == [.connected, .finished])
    }

    @Test func `gives the single picture that a drained path names`() async throws {
        try folder.write(Pictures.pgm(), "one.pgm")
        try folder.write(Pictures.pgm(), "two.pgm")
        let single = FolderSource(camera: "gate", path: folder.file("two.pgm"), mode: .drain)
        let given = Collector()
        try await single.run { given.take($0) }
        #expect(given.names == ["two.pgm"])
        #expect(try single.count() == 1)
    }

    @Test func `judges the stamp of a file by when the file came`() async throws {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        try folder.write(Pictures.pgm(1), "on-\(now).pgm")
        try folder.write(Pictures.pgm(2), "off-\(now - 60_000).pgm")
        let clock = CaptureClock.live(CameraClock()) {
            HostTime(
                own: BootClock(boot: "run", startedAt: Instant(milliseconds: 0)), now: Instant(milliseconds: now),
                verdict: .believed)
        }
        let given = Collector()
        try await FolderSource(camera: "gate", path: folder.path, mode: .drain, clock: clock).run { given.take($0) }
        #expect(given.frames.map(\.clockState) == [.untrusted, .synchronised])
    }

    @Test func `ends at once when it is cancelled`() async throws {
        try folder.write(Pictures.pgm(), "one.pgm")
        let given = Collector()
        let task = Task { try await folder.source().run { given.take($0) } }
        try await eventually("the first frame") { !given.items.isEmpty }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
