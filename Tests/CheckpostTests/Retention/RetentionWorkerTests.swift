import Enforcement
import Foundation
import Logging
import Storage
import Testing

@testable import Appliance

/// Months go by in simulated days: real database, real files, a clock that is told.
@Suite("A box that runs for months", .timeLimit(.minutes(15)), .serialized)
struct RetentionWorkerTests {
    private let start = Instant(milliseconds: 1_795_255_200_000)

    private final class Box {
        let store: Store
        let photos: PhotoStore
        let worker: RetentionWorker
        var number = 0
        let pictureBytes: Int

        init(_ folder: URL, disk: DiskGauge? = nil, pictureBytes: Int = 1000, cameras: Bool = false) throws {
            self.pictureBytes = pictureBytes
            store = try Store(path: folder.appendingPathComponent("checkpost.sqlite").path)
            photos = PhotoStore(folder: folder)
            var configuration = Configuration.pilot
            configuration.dataFolder = folder.path
            configuration.server = .init(url: "http://127.0.0.1:1", email: "a@b", passwordFile: "none")
            if cameras {
                let incoming = folder.appendingPathComponent("incoming").path
                configuration.cameras = [.init(name: "gate", kind: .folder(path: incoming))]
            }
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            worker = RetentionWorker(
                configuration, store: store, photos: photos, alarms: AlarmBoard(store: store, log: log), disk: disk,
                log: log)
        }

        /// Records so many vehicles in one transaction, each with a photo as far as there is room.
        ///
        /// - Returns: how many have their photo.
        @discardableResult
        func pass(_ count: Int, at time: Instant, isSynced: Bool = true) throws -> Int {
            var commit = FrameCommit(camera: "gate", at: time)
            for index in 0..<count {
                number += 1
                let moment = time + .seconds(Double(index))
                var picture = Data([0xFF, 0xD8]) + Data("\(number)".utf8)
                picture.append(Data(count: max(0, pictureBytes - picture.count)))
                var photo: PhotoRecord?
                do {
                    let smaller = try PhotoRoom(folder: photos.folder.path).smaller(picture)
                    photo = try photos.keep(picture, smaller: smaller, recordedAt: moment, at: moment)
                } catch let error as StoreError where error.kind == .diskFull {
                    // It is recorded without.
                }
                if let photo { commit.photos.append(photo) }
                let plate = "BA 1 PA \(number)"
                commit.recordings.append(
                    .init(
                        passage: Passage(
                            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
                            checkpostCode: Configuration.pilot.post.code, recordedAt: moment,
                            clockState: .synchronised, confidence: 0.9, origin: .camera, photoSHA256: photo?.sha256),
                        sighting: nil))
            }
            try store.frames.commit(commit)
            if isSynced { try sync() }
            return commit.photos.count
        }

        func sync() throws {
            for var entry in try store.queue.entries(in: [.pending], limit: 10_000) {
                entry.status = .synced
                try store.queue.update(entry, learning: ServerFacts(serverID: UUID()))
                guard var upload = try store.photos.upload(ofPassage: entry.passageClientID) else { continue }
                upload.status = .uploaded
                try store.photos.update(upload, photoPath: "passage-photos/1.jpg")
            }
        }

        var files: Int {
            let names = FileManager.default.enumerator(atPath: photos.folder.appendingPathComponent("photos").path)
            return (names?.allObjects as? [String] ?? []).count { $0.hasSuffix(".jpg") }
        }
    }

    private static let ample = DiskGauge(freeBytes: { 20 << 30 }, totalBytes: { 32 << 30 })

    @Test func `keeps thirty days of photos and a year of passages, and tells what went`() throws {
        let folder = try TemporaryFolder()
        let box = try Box(folder["."], disk: Self.ample)
        for day in 0..<60 {
            let time = start + .days(Double(day))
            try box.pass(day < 40 ? 4 : 1, at: time)
            try box.worker.round(at: time + .hours(1), isClockTrusted: true)
        }
        // Days 30 to 59, of which ten had four vehicles.
        #expect(box.files == 10 * 4 + 20)
        #expect(try box.store.figures.now().photos == box.files)
        #expect(try box.store.passages.list(limit: 1000).count == 40 * 4 + 20)
        #expect(try box.store.retention.removed().map(\.count) == [30 * 4])
        try box.worker.round(at: start + .days(59 + 366), isClockTrusted: true)
        #expect(box.files == 0)
        #expect(try box.store.passages.list().isEmpty)
        #expect(try box.store.findDamage() == nil)
    }

    @Test func `takes nothing by its age while its clock can't be trusted`() throws {
        let folder = try TemporaryFolder()
        let box = try Box(folder["."], disk: Self.ample)
        try box.pass(5, at: start)
        try box.worker.round(at: start + .days(4000), isClockTrusted: false)
        #expect(box.files == 5)
        #expect(try box.store.passages.list().count == 5)
    }

    @Test func `removes faster than vehicles come, in one round`() throws {
        let folder = try TemporaryFolder()
        let box = try Box(folder["."], disk: Self.ample, pictureBytes: 10)
        try box.pass(1000, at: start)
        let began = ContinuousClock.now
        try box.worker.round(at: start + .days(31), isClockTrusted: true)
        #expect(box.files == 0)
        #expect(ContinuousClock.now - began < .seconds(60), "half a day's vehicles")
    }

    @Test(.enabled(if: SmallDisk.isPossible, "a small disk can't be mounted here: run the tests as root"))
    func `on a small disk: photos go before their time, the oldest first, and the alarm names the day`() throws {
        let disk = try SmallDisk(megabytes: 32)
        defer { disk.remove() }
        let box = try Box(disk.folder, pictureBytes: 10_000)
        var lowest = Int.max
        for day in 0..<60 {
            let time = start + .days(Double(day))
            #expect(try box.pass(100, at: time) == 100, "day \(day)")
            try box.worker.round(at: time + .hours(1), isClockTrusted: true)
            box.worker.tellDisk(at: time + .hours(1))
            lowest = min(lowest, DiskSpace.freeBytes(at: disk.folder.path) ?? 0)
        }
        #expect(lowest > DiskRoomPlan(totalBytes: 32 << 20).smallPhotoBytes)
        let alarm = try #require(
            try box.store.alarms.list().first { $0.key == "disk" },
            "\(box.worker.state.withLock { "\($0)" }), \(DiskSpace.freeBytes(at: disk.folder.path) ?? 0), \(box.files)")
        #expect(alarm.message.contains("before their time") && alarm.message.contains("it is full on 20"))
        #expect(box.files > 400 && box.files < 3000, "\(box.files)")
        #expect(try box.store.passages.list(limit: 10_000).count == 6000)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "a small disk can't be mounted here: run the tests as root"))
    func `on a small disk without a link: no photo any more, but records, and nothing that waits goes`() throws {
        let disk = try SmallDisk(megabytes: 64)
        defer { disk.remove() }
        let box = try Box(disk.folder, pictureBytes: 50_000)
        var kept = 0
        var messages: Set<String> = []
        for day in 0..<36 {
            let time = start + .days(Double(day))
            kept += try box.pass(40, at: time, isSynced: false)
            try box.worker.round(at: time + .hours(1), isClockTrusted: true)
            box.worker.tellDisk(at: time + .hours(1))
            for alarm in try box.store.alarms.list() where alarm.key == "disk" {
                messages.insert(String(alarm.message.split(separator: "disk").last?.prefix(30) ?? ""))
            }
        }
        #expect(kept > 900 && kept < 1300, "\(kept)")
        #expect(box.files == kept, "nothing that waits was removed")
        #expect(try box.store.passages.list(limit: 10_000).count == 36 * 40, "records, to the last")
        let alarm = try #require(try box.store.alarms.list().first { $0.key == "disk" })
        #expect(alarm.severity == .critical && alarm.message.contains("without photos"), "\(alarm.message)")
        #expect(alarm.message.contains("it is full on 20"), "\(alarm.message)")
        #expect(messages.count >= 2, "\(messages)")
        // The link is back: photos go, and new ones are kept again.
        try box.sync()
        let later = start + .days(37)
        try box.worker.round(at: later, isClockTrusted: true)
        #expect(try box.pass(40, at: later) == 40)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "a small disk can't be mounted here: run the tests as root"))
    func `on a disk that fills keeps a real picture smaller, and then none`() throws {
        let disk = try SmallDisk(megabytes: 8)
        defer { disk.remove() }
        let frame = try Data(contentsOf: try #require(try RunningAppliance.frames().first))
        #expect(try PhotoRoom(folder: disk.folder.path).smaller(frame) == nil)
        let filler = disk.folder.appendingPathComponent("other")
        try Data(count: (8 << 20) - (300 << 10)).write(to: filler)
        let smaller = try PhotoRoom(folder: disk.folder.path).smaller(frame)
        if frame.count > PhotoRoom.smallBytes {
            #expect(try #require(smaller).count <= PhotoRoom.smallBytes)
        } else {
            #expect(smaller == nil)
        }
        try Data(count: (8 << 20) - (100 << 10)).write(to: filler)
        #expect(throws: StoreError.self) { try PhotoRoom(folder: disk.folder.path).smaller(frame) }
    }

    @Test func `leaves a picture that could not be read where it is for thirty days more`() throws {
        let folder = try TemporaryFolder()
        let incoming = folder["incoming"]
        try FileManager.default.createDirectory(at: incoming, withIntermediateDirectories: true)
        let box = try Box(folder["."], disk: Self.ample, cameras: true)
        try Data([0xFF, 0xD8]).write(to: incoming.appendingPathComponent("torn.jpg"))
        let key = try #require(try FolderKeys.of(incoming.path).first)
        try box.store.frames.commit(
            FrameCommit(
                camera: "gate", takenKey: key, unreadable: .init(file: "torn.jpg", reason: "cut off"), at: start))
        try box.worker.round(at: start + .days(30), isClockTrusted: true)
        #expect(try FolderKeys.of(incoming.path).count == 1)
        try box.worker.round(at: start + .days(31), isClockTrusted: true)
        #expect(try FolderKeys.of(incoming.path).isEmpty)
    }

    @Test func `takes pictures out of a camera's folder a day after they were answered for`() throws {
        let folder = try TemporaryFolder()
        let incoming = folder["incoming"]
        try FileManager.default.createDirectory(at: incoming, withIntermediateDirectories: true)
        let box = try Box(folder["."], disk: Self.ample, cameras: true)
        for name in ["a.jpg", "b.jpg"] { try Data([0xFF, 0xD8]).write(to: incoming.appendingPathComponent(name)) }
        let keys = try FolderKeys.of(incoming.path)
        #expect(keys.count == 2)
        let taken = try #require(keys.first { $0.hasPrefix("a.jpg") })
        try box.store.frames.commit(FrameCommit(camera: "gate", takenKey: taken, at: start))
        try box.worker.round(at: start + .hours(23), isClockTrusted: true)
        #expect(try FolderKeys.of(incoming.path).count == 2)
        try box.worker.round(at: start + .hours(25), isClockTrusted: true)
        #expect(try FolderKeys.of(incoming.path).map { $0.prefix(5) } == ["b.jpg"], "that one was never looked at")
        #expect(try box.store.retention.removed().map(\.kind) == [.folderPicture])
    }
}
