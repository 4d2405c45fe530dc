import Enforcement
import Foundation
import Storage
import Testing

@testable import Appliance

/// The real program, whose data folder lies on a disk that takes no more.
@Suite(
    "A box on a full disk", .timeLimit(.minutes(15)), .serialized,
    .enabled(if: SmallDisk.isPossible, "a small disk can't be mounted here: run the tests as root"))
struct FullDiskTests {
    private let frames: [URL]

    init() throws { frames = try RunningAppliance.frames() }

    private func status(_ box: RunningAppliance) async throws -> Program.Result {
        try await Program.run(["status", "--config", box.configuration.path])
    }

    private func expectAllRecorded(_ box: RunningAppliance, count: Int) async throws {
        #expect(try await box.eventually { box.takenCount() == count }, "\(box.log)")
        #expect(try await box.eventually { try box.opened().figures.now().passages >= 1 }, "\(box.log)")
    }

    @Test func `that fills up while it runs: says so, and goes on by itself when there is room`() async throws {
        let disk = try SmallDisk(megabytes: 16)
        defer { disk.remove() }
        let box = try RunningAppliance(disk: disk)
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        for frame in frames.prefix(2) { try box.arrive(frame) }
        #expect(try await box.eventually { box.takenCount() == 2 }, "\(box.log)")
        disk.fill()
        let pid = try #require(box.part("camera.gate")?.pid)
        for frame in frames[2..<8] { try box.arrive(frame) }
        #expect(try await box.eventually { box.log.contains("recording.gate") }, "\(box.log)")
        let full = try await status(box)
        #expect(full.status == 1 && full.output.contains("the disk is full"), "\(full.output)")
        try disk.makeRoom()
        try await expectAllRecorded(box, count: 8)
        #expect(box.part("camera.gate")?.pid == pid, "the camera's part was never touched: \(box.log)")
        #expect(
            try await box.eventually { try box.opened().alarms.list().allSatisfy { !$0.key.hasPrefix("recording") } })
        #expect(try await box.stop().status == 0)
    }

    @Test(arguments: [false, true])
    func `that was full at the start: comes up, says so, and records when there is room`(_ hasRun: Bool) async throws {
        let disk = try SmallDisk(megabytes: 16)
        defer { disk.remove() }
        let box = try RunningAppliance(disk: disk)
        if hasRun {
            try box.start()
            #expect(try await box.isRecording(), "\(box.log)")
            #expect(try await box.stop().status == 0)
        }
        disk.fill()
        for frame in frames.prefix(8) { try box.arrive(frame) }
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        let full = try await status(box)
        #expect(full.status == 1 && full.output.contains("the disk is full"), "\(full.output)")
        try disk.makeRoom()
        try await expectAllRecorded(box, count: 8)
        #expect(try await box.stop().status == 0)
    }

    @Test func `that has no names left for photos: records without them, says so, and adds them later`() async throws {
        let disk = try SmallDisk(megabytes: 64, files: 300)
        defer { disk.remove() }
        let box = try RunningAppliance(disk: disk)
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        _ = try box.opened()
        try disk.fillWithFiles()
        for frame in frames.prefix(8) { try box.arrive(frame) }
        try await expectAllRecorded(box, count: 8)
        #expect(
            try await box.eventually { try box.opened().alarms.list().contains { $0.key == "photos.gate" } },
            "\(box.log)")
        let full = try await status(box)
        #expect(full.status == 1 && full.output.contains("no more files"), "\(full.output)")
        try disk.makeRoom()
        #expect(
            try await box.eventually {
                try box.opened().passages.list(limit: 10).allSatisfy { $0.passage.photoSHA256 != nil }
            }, "\(box.log)")
        #expect(try await box.eventually { try !box.opened().alarms.list().contains { $0.key == "photos.gate" } })
        #expect(try await box.stop().status == 0)
    }

    @Test func `that has no names left at the start: comes up, says so, and records when there are some`() async throws
    {
        let disk = try SmallDisk(megabytes: 64, files: 300)
        defer { disk.remove() }
        let box = try RunningAppliance(disk: disk)
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        #expect(try await box.stop().status == 0)
        try disk.fillWithFiles()
        for frame in frames.prefix(8) { try box.arrive(frame) }
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        let full = try await status(box)
        #expect(full.status == 1 && full.output.contains("no more files"), "\(full.output)")
        #expect(!full.output.contains("is not running"), "\(full.output)")
        #expect(!box.log.contains("camera is back"), "the camera has no part in it")
        #expect(box.log.components(separatedBy: "an alarm could not be recorded").count < 20, "\(box.log)")
        try disk.makeRoom()
        try await expectAllRecorded(box, count: 8)
        #expect(try await box.stop().status == 0)
    }

    @Test func `takes the folder for its lock where no file can be made`() throws {
        let disk = try SmallDisk(megabytes: 4, files: 20)
        defer { disk.remove() }
        try disk.fillWithFiles()
        let folder = disk.folder.path
        #expect(!RunLock.isHeld(folder: folder))
        do {
            let lock = try RunLock(folder: folder)
            defer { withExtendedLifetime(lock) {} }
            #expect(RunLock.isHeld(folder: folder) && RunLock.isPresent(folder: folder))
            #expect(throws: AdvisedError.self) { try RunLock(folder: folder) }
        }
        #expect(!RunLock.isHeld(folder: folder))
    }
}
