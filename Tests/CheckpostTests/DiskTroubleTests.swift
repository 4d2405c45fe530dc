import Capture
import Enforcement
import Foundation
import Logging
import Recognition
import Storage
import TestKit
import Testing

@testable import Appliance

/// Frames of the sample day on a disk that fills up.
@Suite(
    "A disk in trouble", .serialized, .enabled(if: SmallDisk.isPossible, "needs to mount a small disk"),
    .timeLimit(.minutes(15)))
struct DiskTroubleTests {
    private let clock = Instant(milliseconds: 1_795_255_200_000)

    private func pipeline(_ store: Store, _ folder: URL, alarms: Bool = true) throws -> FramePipeline {
        let configuration = Configuration.pilot
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return FramePipeline(
            camera: "gate", configuration: configuration, store: store, photos: PhotoStore(folder: folder),
            recognizer: try PlateRecognizer(
                models: configuration.reader.models, country: configuration.reader.country),
            alarms: alarms ? AlarmBoard(store: store, log: log) : nil, log: log)
    }

    /// The frames of the sample day at their times: several vehicles, some of them sure.
    private func frames(live: Bool) throws -> [Frame] {
        let folder = Checkout.samples.appendingPathComponent("drive/BNP-A")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "jpg" }.sorted { $0.lastPathComponent < $1.lastPathComponent }.prefix(30)
            .map { file in
                // 20261121T041530.250Z.jpg
                let name = Array(file.deletingPathExtension().lastPathComponent)
                let time =
                    "\(String(name[0..<4]))-\(String(name[4..<6]))-\(String(name[6..<11])):"
                    + "\(String(name[11..<13])):\(String(name[13...]))"
                return Frame(
                    picture: try Data(contentsOf: file), recordedAt: try #require(Instant(iso8601: time)),
                    clockState: .synchronised, camera: "gate", sourceKey: live ? nil : file.lastPathComponent)
            }
    }

    private func onRecord(_ store: Store) throws -> Int {
        try store.passages.list(limit: 1000).count + store.sightings.list(in: .review, limit: 1000).count
    }

    @Test func `keeps what live frames gave in memory, with their photos, and writes it when there is room`()
        async throws
    {
        let disk = try SmallDisk(megabytes: 8)
        defer { disk.remove() }
        let store = try Store(path: disk.folder.appendingPathComponent("checkpost.sqlite").path)
        let pipeline = try pipeline(store, disk.folder)
        disk.fill()
        var seen = 0
        for frame in try frames(live: true) {
            let result = try await pipeline.process(.frame(frame))
            seen += result.wasStill ? 0 : 1
        }
        #expect(seen > 0)
        #expect(try onRecord(store) == 0)
        let waiting = await pipeline.backlog.count
        #expect(waiting > 2)
        try disk.makeRoom()
        #expect(
            try await eventually {
                _ = try await pipeline.tick(); return try onRecord(store) >= waiting
            })
        // Photos have pauses of their own between tries.
        #expect(
            try await eventually {
                _ = try await pipeline.tick()
                return try store.passages.list(limit: 100).allSatisfy { $0.passage.photoSHA256 != nil }
                    && store.sightings.list(in: .review).allSatisfy(\.hasPhoto)
            })
        await pipeline.alarms?.settle()
        #expect(try store.alarms.list().map(\.key) == [])
    }

    @Test func `keeps no live frame waiting while another program holds the database, and records all when it lets go`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder["checkpost.sqlite"].path
        let store = try Store(path: path)
        let pipeline = try pipeline(store, folder.url)
        let frames = try frames(live: true)
        _ = try await pipeline.process(.frame(frames[0]))
        let holder = try LockHolder(path)
        var slowest = Duration.zero
        for frame in frames.dropFirst() {
            let began = ContinuousClock.now
            _ = try await pipeline.process(.frame(frame))
            slowest = max(slowest, .now - began)
        }
        // The database is waited for ten seconds; a frame takes a second or two on a busy machine.
        #expect(slowest < .seconds(8), "\(slowest)")
        #expect(try onRecord(store) == 0)
        holder.letGo()
        #expect(
            try await eventually {
                _ = try await pipeline.tick(); return try onRecord(store) > 2
            })
        await pipeline.giveUp(within: 30)
        let same = try TemporaryFolder()
        let control = try Store(path: same["checkpost.sqlite"].path)
        let undisturbed = try self.pipeline(control, same.url)
        for frame in frames { _ = try await undisturbed.process(.frame(frame)) }
        #expect(try Set(plates(store)) == Set(plates(control)))
    }

    private func plates(_ store: Store) throws -> [String] {
        try store.passages.list(limit: 1000).map(\.passage.plate.compact)
            + store.sightings.list(in: .review, limit: 1000).map(\.sighting.reading.plate.compact)
    }

    @Test func `waits with a folder's frame until it is written, and goes on by itself`() async throws {
        let disk = try SmallDisk(megabytes: 8)
        defer { disk.remove() }
        let store = try Store(path: disk.folder.appendingPathComponent("checkpost.sqlite").path)
        let pipeline = try pipeline(store, disk.folder)
        disk.fill()
        let frames = try frames(live: false)
        let work = Task {
            for frame in frames { _ = try await pipeline.process(.frame(frame)) }
            return true
        }
        #expect(try await eventually { await pipeline.trouble.isOn })
        #expect(try store.frames.takenKeys(camera: "gate").count < frames.count)
        try disk.makeRoom()
        #expect(try await work.value)
        #expect(try store.frames.takenKeys(camera: "gate").count == frames.count)
        #expect(try onRecord(store) > 2)
        #expect(await !pipeline.trouble.isOn)
    }

    @Test func `begins on a full disk, where the database can't even be opened, and loses no vehicle`() async throws {
        let disk = try SmallDisk(megabytes: 8)
        defer { disk.remove() }
        let path = disk.folder.appendingPathComponent("checkpost.sqlite").path
        try Store(path: path).close()
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        disk.fill()
        let opening = try Store.openForRun(path: path, at: clock)
        #expect(opening.waitsFor?.kind == .diskFull)
        let pipeline = try pipeline(opening.store, disk.folder)
        for frame in try frames(live: true) { _ = try await pipeline.process(.frame(frame)) }
        let waiting = await pipeline.backlog.count
        #expect(waiting > 2)
        try disk.makeRoom()
        #expect(
            try await eventually {
                _ = try await pipeline.tick()
                return (try? onRecord(opening.store)) ?? 0 >= waiting
            })
        #expect(
            try await eventually {
                _ = try await pipeline.tick()
                return try opening.store.passages.list(limit: 100).allSatisfy { $0.passage.photoSHA256 != nil }
            })
    }

    @Test func `names a camera that sends only broken pictures, until a good one comes`() async throws {
        let disk = try SmallDisk(megabytes: 8)
        defer { disk.remove() }
        let store = try Store(path: disk.folder.appendingPathComponent("checkpost.sqlite").path)
        let pipeline = try pipeline(store, disk.folder)
        let good = try #require(try frames(live: true).first)
        var broken = good
        broken.picture = good.picture.prefix(200)
        for count in 1...UnreadableRun.most {
            await pipeline.alarms?.settle()
            #expect(try store.alarms.list().isEmpty, "after \(count - 1)")
            #expect(try await pipeline.process(.frame(broken)).unreadable != nil)
        }
        await pipeline.alarms?.settle()
        #expect(try store.alarms.list().map(\.key) == ["pictures.gate"])
        _ = try await pipeline.process(.frame(good))
        await pipeline.alarms?.settle()
        #expect(try store.alarms.list().isEmpty)
    }

    @Test func `raises an alarm while photos can't be kept, records the passages, and adds the photos later`()
        async throws
    {
        let disk = try SmallDisk(megabytes: 8)
        defer { disk.remove() }
        let store = try Store(path: disk.folder.appendingPathComponent("checkpost.sqlite").path)
        // A file where the folder belongs: not even the superuser writes into it.
        let photos = disk.folder.appendingPathComponent("photos")
        try Data([1]).write(to: photos)
        let pipeline = try pipeline(store, disk.folder)
        for frame in try frames(live: true) { _ = try await pipeline.process(.frame(frame)) }
        let passages = try store.passages.list(limit: 100)
        #expect(!passages.isEmpty)
        #expect(passages.allSatisfy { $0.passage.photoSHA256 == nil })
        await pipeline.alarms?.settle()
        #expect(try store.alarms.list().map(\.key) == ["photos.gate"])
        try FileManager.default.removeItem(at: photos)
        #expect(
            try await eventually {
                _ = try await pipeline.tick()
                return try store.passages.list(limit: 100).allSatisfy { $0.passage.photoSHA256 != nil }
            })
        await pipeline.alarms?.settle()
        #expect(try store.alarms.list().isEmpty)
    }

    @Test func `takes a cancelled task for the only shutdown`() async throws {
        let disk = try SmallDisk(megabytes: 8)
        defer { disk.remove() }
        let store = try Store(path: disk.folder.appendingPathComponent("checkpost.sqlite").path)
        let pipeline = try pipeline(store, disk.folder)
        let frame = try #require(try frames(live: false).first)
        disk.fill()
        let work = Task { try await pipeline.process(.frame(frame)) }
        #expect(try await eventually { await pipeline.trouble.isOn })
        work.cancel()
        await #expect(throws: CancellationError.self) { _ = try await work.value }
        try disk.makeRoom()
        // The same pipeline takes the frame again.
        _ = try await pipeline.process(.frame(frame))
        #expect(try store.frames.takenKeys(camera: "gate").count == 1)
    }
}

@Suite("What waits in memory", .timeLimit(.minutes(15)))
struct RecordingBacklogTests {
    private func sighting(_ number: Int) -> Sighting {
        let plate = Plate(canonical: "BA 1 PA \(number)")
        let time = Instant(milliseconds: Int64(number))
        return Sighting(
            number: number, camera: "gate", firstSeenAt: time, lastSeenAt: time, frameCount: 1,
            bestFrame: FrameReference(sha256: "\(number)", camera: "gate", recordedAt: time, clockState: .synchronised),
            reading: PlateReading(
                plate: plate, raw: plate.canonical, confidence: 0.5, box: Box(x: 0, y: 0, width: 9, height: 9),
                format: "test", candidates: [], characters: []))
    }

    @Test func `is bounded, gives up the oldest, and counts it`() {
        var backlog = RecordingBacklog()
        let commit = FrameCommit(
            camera: "gate", reviews: (0..<RecordingBacklog.mostRecords + 5).map(sighting), at: Instant(milliseconds: 0))
        backlog.add(commit)
        #expect(backlog.count == RecordingBacklog.mostRecords)
        #expect(backlog.lost == 5)
        #expect(backlog.reviews.first?.number == 5)
        #expect(backlog.together(with: commit).reviews.count == RecordingBacklog.mostRecords + 5)
    }

    @Test func `keeps the newest word on a sighting`() {
        var backlog = RecordingBacklog()
        let at = Instant(milliseconds: 0)
        backlog.add(FrameCommit(camera: "gate", reviews: [sighting(1)], at: at))
        var again = sighting(1)
        again.frameCount = 9
        backlog.add(FrameCommit(camera: "gate", reviews: [again], at: at))
        #expect(backlog.reviews == [again])
    }

    @Test func `holds pictures up to so many bytes, and gives up the oldest`() {
        var held = HeldPictures(mostBytes: 100)
        for number in 0..<5 {
            held.hold(Data(repeating: 0, count: 30), recordedAt: Instant(milliseconds: 0), sha256: "\(number)")
        }
        #expect(held.bytes == 90 && held.lost == 2)
        #expect(held["1"] == nil && held["4"] != nil)
        held.remove("4")
        #expect(held.bytes == 60)
    }

    @Test func `waits longer from try to try, and begins anew after a success`() {
        var trouble = RecordingTrouble()
        let tells = [trouble.failed(), trouble.failed()]
        #expect(tells == [true, false])
        let pauses = (0..<6).map { _ in trouble.nextWaitSeconds() }
        #expect(pauses == [1, 2, 4, 5, 5, 5])
        #expect(!trouble.isDue)
        let wasOn = [trouble.over(), trouble.over()]
        #expect(wasOn == [true, false])
        #expect(trouble.isDue)
    }
}
