import Enforcement
import Foundation
import Logging
import Storage
import TestKit
import Testing

@testable import Appliance

/// The real program, whose data folder lies on a disk that goes away and comes back.
@Suite(
    "A box whose disk is away", .timeLimit(.minutes(15)), .serialized,
    .enabled(if: SmallDisk.isPossible, "a disk can't be mounted here: run the tests as root"))
struct AwayDiskTests {
    private let disk: PluggableDisk
    private let box: RunningAppliance
    private let frames: [URL]

    private var standIn: URL { box.folder["spare/data"] }

    init() throws {
        disk = try PluggableDisk()
        box = try RunningAppliance(place: disk.place, hasSpare: true)
        frames = try RunningAppliance.frames()
    }

    private let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func make(_ folder: String) throws -> String {
        try FileManager.default.createDirectory(at: box.folder[folder], withIntermediateDirectories: true)
        return box.folder[folder].path
    }

    private func plates(in folder: URL) throws -> [String] {
        try box.look(into: folder) { try $0.passages.list(limit: 1000).map(\.passage.plate.compact) }
    }

    private func expectHome(_ before: Set<UUID>, _ meanwhile: Set<UUID> = []) async throws {
        let home = box.folder["data"]
        #expect(try await box.isUp(in: home), "\(box.log)")
        #expect(
            try await box.eventually {
                try box.look(into: home) { try $0.alarms.list().contains { $0.key == "disk.home" } }
            }, "\(box.log)")
        #expect(try box.passages(in: home).isSuperset(of: before.union(meanwhile)), "\(box.log)")
        try box.look(into: home) { store in
            let kept = PhotoStore(folder: home)
            for passage in try store.passages.list(limit: 1000) {
                let sha256 = try #require(passage.passage.photoSHA256)
                #expect(try kept.verify(try #require(try store.photos.record(sha256: sha256))))
            }
            for review in try store.sightings.list(in: .review, limit: 1000) { #expect(review.hasPhoto) }
            #expect(try store.queue.counts()[.pending] == store.passages.list(limit: 1000).count)
            #expect(try store.evidence.unsignedCount() == 0)
            let alarms = try store.alarms.list()
            #expect(
                alarms.allSatisfy { !["disk.away", "evidence.lost", "database.damaged"].contains($0.key) }, "\(alarms)")
            #expect(alarms.first { $0.key == "disk.home" }?.severity == .notice, "\(alarms)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: box.folder["spare"].path)
        #expect(left.allSatisfy { !$0.hasPrefix("home-") }, "\(left)")
    }

    @Test func `at the start records in its spare folder, says so, and brings all of it home when the disk is back`()
        async throws
    {
        try box.look(into: disk.place) {
            try $0.accounts.add(
                User(
                    name: "sita", fullName: "Sita", role: .ranger, origin: .box, passwordHash: "hash",
                    createdAt: BoxClock.now))
        }
        try box.start()
        #expect(try await box.isUp(in: box.folder["data"]), "\(box.log)")
        try await box.take(frames.prefix(12), in: box.folder["data"], count: 12)
        #expect(
            try await box.eventually {
                FileManager.default.fileExists(atPath: standIn.path)
                    && (try? box.look(into: standIn) { try $0.accounts.user("sita") }) != nil
            }, "\(box.log)")
        #expect(try await box.stop().status == 0)
        let before = try box.passages(in: disk.place)
        #expect(!before.isEmpty)
        // As a live camera, which shows nothing twice.
        for frame in frames.prefix(12) { unlink(box.folder["incoming/" + frame.lastPathComponent].path) }

        try disk.unplug()
        try box.start()
        #expect(try await box.isUp(in: standIn), "\(box.log)")
        try await box.take(frames[12..<26], in: standIn, count: 14)
        #expect(try await box.eventually { try !box.passages(in: standIn).subtracting(before).isEmpty }, "\(box.log)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.place.path).isEmpty, "nothing lies below it")
        let status = try await Program.run(["status", "--config", box.configuration.path])
        #expect(status.status == 1)
        #expect(
            status.output.contains("is not mounted at \(disk.place.path)") && status.output.contains("spare/data"),
            "\(status.output)")
        #expect(try await box.stop().status == 0)
        let meanwhile = try box.passages(in: standIn)

        try disk.plug()
        try box.start()
        try await expectHome(before, meanwhile)
        #expect(try await box.stop().status == 0)
        #expect(try box.look(into: box.folder["data"]) { try $0.accounts.user("sita") } != nil)
    }

    @Test func `while it runs is told from a damaged database, and it goes home by itself`() async throws {
        try box.start()
        #expect(try await box.isUp(in: box.folder["data"]), "\(box.log)")
        try await box.take(frames.prefix(12), in: box.folder["data"], count: 12)
        let (before, platesBefore) = (try box.passages(in: disk.place), try plates(in: disk.place))
        // The last pictures stay in the folder, and are read once more: what they show is on record once in the end.
        try disk.unplug(isHasty: true)
        #expect(try await box.isUp(in: standIn), "\(box.log)")
        // Whichever looks first says it: the part that has the database open, or the rounds that look after the disk.
        #expect(
            box.log.contains("is not mounted any more") || box.log.contains("the disk of the data folder is away"),
            "\(box.log)")
        // A part that asks for a new beginning has no fault.
        #expect(!box.log.contains("with status 75") && !box.log.contains("with status 76"), "\(box.log)")
        try await box.take(frames[12..<26], in: standIn, count: 14)
        #expect(
            try await box.eventually { try !Set(plates(in: standIn)).subtracting(platesBefore).isEmpty }, "\(box.log)")
        let met = Set(try plates(in: standIn)).union(platesBefore)
        try disk.plug()
        try await expectHome(before)
        let recorded = try plates(in: box.folder["data"])
        #expect(met.isSubset(of: recorded), "\(met) \(recorded)")
        #expect(Set(recorded).count == recorded.count, "each vehicle once: \(recorded)")
        #expect(Store.setAsideFiles(path: box.folder["data/checkpost.sqlite"].path).isEmpty)
        #expect(Store.setAsideFiles(path: standIn.appendingPathComponent("checkpost.sqlite").path).isEmpty)
        #expect(try await box.stop().status == 0)
    }

    @Test func `and has another one in its place records there, and says so until a person has said that it is meant`()
        async throws
    {
        let home = DataHome(folder: disk.place.path, spare: box.folder["spare"].path)
        #expect(try home.settle() == disk.place.path)
        let remembered = try #require(home.remembered)
        #expect(remembered.mountPoint == disk.place.path && home.standing == .home)
        try disk.unplug()
        #expect(home.standing == .away && home.current == disk.place.path, "there is no record in the spare folder yet")
        let other = try SmallDisk(megabytes: 8)
        defer { other.remove() }
        let replaced = DataHome(folder: other.folder.path, spare: home.spare)
        RunFolder.write(
            RecordsDisk(folder: other.folder.path, mark: remembered.mark, mountPoint: other.folder.path),
            to: box.folder["spare/disk.json"].path)
        #expect(replaced.standing == .replaced)
        // What waits in the spare folder doesn't go to a disk that may not be meant.
        let waiting = try Store(path: try make("spare/data") + "/checkpost.sqlite")
        try waiting.beginStandingIn(at: BoxClock.now)
        try waiting.close()
        var configuration = Configuration()
        (configuration.homeFolder, configuration.dataFolder) = (other.folder.path, other.folder.path)
        configuration.spareFolder = box.folder["spare"].path
        let store = try Store(path: other.folder.path + "/checkpost.sqlite")
        let alarms = AlarmBoard(store: store, log: log)
        let homecoming = Homecoming(configuration, store: store, alarms: alarms, log: log)
        homecoming.begin(at: BoxClock.now)
        homecoming.finish(at: BoxClock.now)
        try DiskNews(configuration).tell(alarms, standIn: store, at: BoxClock.now)
        #expect(FileManager.default.fileExists(atPath: standIn.path + "/checkpost.sqlite"))
        #expect(try store.alarms.list().map(\.key) == ["disk.replaced"])
        try store.close()
        #expect(try replaced.settle() == other.folder.path)
        #expect(replaced.standing == .replaced, "it stays so")
        unlink(box.folder["spare/disk.json"].path)
        #expect(try replaced.settle() == other.folder.path)
        #expect(replaced.standing == .home)
    }

    @Test func `whose spare folder takes nothing is recorded below, and both that and what lies there are said`() throws
    {
        let spare = try SmallDisk(megabytes: 1)
        defer { spare.remove() }
        var configuration = Configuration()
        (configuration.homeFolder, configuration.dataFolder) = (disk.place.path, disk.place.path)
        configuration.spareFolder = spare.folder.path
        let home = DataHome(configuration)
        #expect(try home.settle() == disk.place.path && home.standing == .home)
        // It is full.
        try? Data(count: 4 << 20).write(to: spare.folder.appendingPathComponent("filling"))
        let free = try #require(DiskSpace.freeBytes(at: spare.folder.path))
        try Data(count: free).write(to: spare.folder.appendingPathComponent("rest"))
        func alarms() throws -> [String: String] {
            let store = try Store(path: disk.place.path + "/checkpost.sqlite")
            defer { try? store.close() }
            let board = AlarmBoard(store: store, log: log)
            Homecoming(configuration, store: store, alarms: board, log: log).finish(at: BoxClock.now)
            try DiskNews(configuration).tell(board, standIn: store, at: BoxClock.now)
            return Dictionary(uniqueKeysWithValues: try store.alarms.list().map { ($0.key, $0.message) })
        }
        #expect(try alarms().keys.sorted() == ["disk.spare"])
        try disk.unplug()
        defer { unsetenv("CHECKPOST_RECORDED_BELOW") }
        // A spare folder on a disk of its own makes the folder below no other disk.
        #expect(home.standing == .away)
        #expect(try alarms()["disk.away"]?.contains("records below its place") == true)
        try disk.plug()
        #expect(try alarms()["disk.below"]?.contains(disk.place.path) == true)
        unsetenv("CHECKPOST_RECORDED_BELOW")
        #expect(try alarms().keys.sorted() == ["disk.spare"])
    }

    @Test func `that goes again while its records come home keeps them in the spare folder until it is back for good`()
        throws
    {
        var configuration = Configuration()
        (configuration.homeFolder, configuration.dataFolder) = (disk.place.path, disk.place.path)
        configuration.spareFolder = try make("spare")
        let home = DataHome(configuration)
        #expect(try home.settle() == disk.place.path && home.standing == .home)
        func open() throws -> Store { try Store(path: disk.place.path + "/checkpost.sqlite") }
        func bring(into store: Store) throws -> [String] {
            let homecoming = Homecoming(
                configuration, store: store, alarms: AlarmBoard(store: store, log: log), log: log)
            homecoming.begin(at: BoxClock.now)
            homecoming.finish(at: BoxClock.now)
            return try store.alarms.list().map(\.key)
        }
        let first = try open()
        #expect(try bring(into: first).isEmpty)
        try first.close()
        try disk.unplug()
        #expect(try home.settle() == standIn.path && DiskNews(configuration).hasMoved(running: .seconds(0)))
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 CHA 1"), plateRaw: "BA 1 CHA 1", vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: BoxClock.now, clockState: .synchronised, origin: .camera)
        let away = try Store(path: standIn.path + "/checkpost.sqlite")
        try away.beginStandingIn(at: BoxClock.now)
        #expect(try away.passages.record(passage, at: BoxClock.now))
        try away.close()
        // The box saw the disk, and the database that it opened lies below.
        let below = try open()
        #expect(!home.isHome(below))
        #expect(try bring(into: below).contains("disk.home.kept"))
        try disk.plug()
        #expect(!home.isHome(below), "the disk is there, and it is another file")
        #expect(try bring(into: below).contains("disk.home.kept"))
        try below.close()
        let back = try open()
        #expect(home.isHome(back) && !DiskNews(configuration).hasMoved(running: .seconds(0)))
        #expect(try bring(into: back) == ["disk.home"])
        #expect(try back.passages.list().map(\.passage.clientID) == [passage.clientID])
        try back.close()
        try disk.unplug()
        unlink(disk.place.path + "/checkpost.sqlite")
        try disk.plug()
    }

    @Test func `is not waited for by a box whose database was named`() {
        var configuration = Configuration()
        configuration.homeFolder = box.folder["data"].path
        configuration.spareFolder = box.folder["spare"].path
        configuration.dataFolder = box.folder["elsewhere"].path
        #expect(!DiskNews(configuration).hasMoved(running: .hours(1)))
    }

    @Test func `keeps nothing in mind of a folder that has no disk of its own`() throws {
        let folder = try TemporaryFolder()
        let home = DataHome(folder: folder["data"].path, spare: folder["spare"].path)
        #expect(try home.settle() == folder["data"].path)
        #expect(home.remembered == nil && home.standing == .unknown)
        // Whoever lost a disk for good makes the spare folder the data folder.
        #expect(DataHome(folder: folder["spare/data"].path, spare: folder["spare"].path).spare == nil)
    }
}
