import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

/// The real program, whose database is damaged on the disk.
@Suite("A box with a damaged database", .timeLimit(.minutes(15)), .serialized)
struct DamagedDatabaseTests {
    private let box: RunningAppliance
    private var path: String { box.folder["data/checkpost.sqlite"].path }

    init() throws { box = try RunningAppliance() }

    /// Writes rubbish over every page but the first, as a card does that forgets a block.
    private func damage() throws {
        try python(
            "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=30).execute('pragma wal_checkpoint(truncate)')",
            path)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let length = try file.seekToEnd()
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(length) - 4096))
        try file.close()
    }

    private func record(_ frames: ArraySlice<URL>, count: Int) async throws {
        for frame in frames { try box.arrive(frame) }
        #expect(try await box.eventually { box.takenCount() == count }, "\(box.log)")
        #expect(try await box.eventually { try box.opened().figures.now().passages >= 1 }, "\(box.log)")
    }

    private func expectNewDatabase() async throws {
        #expect(try await box.eventually { !Store.setAsideFiles(path: path).isEmpty }, "\(box.log)")
        #expect(try await box.eventually { box.part("camera.gate")?.state == "up" }, "\(box.log)")
    }

    private func expectAlarm(_ says: String = "The database was damaged") async throws {
        #expect(try box.opened().alarms.list().contains { $0.key == "database.damaged" })
        let status = try await Program.run(["status", "--config", box.configuration.path])
        #expect(status.status == 1)
        #expect(status.output.contains(says) && status.output.contains(".damaged-"), "\(status.output)")
        #expect(try await box.stop().status == 0)
    }

    @Test func `starts anew in the same process, sets the file aside, and records in a new one`() async throws {
        let frames = try RunningAppliance.frames()
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        let (pid, began) = (box.pid, box.news?.startedAt)
        try await record(frames.prefix(8), count: 8)
        try box.close()
        try damage()
        try box.arrive(frames[8])
        try await expectNewDatabase()
        #expect(try await box.eventually { box.news?.startedAt != began })
        #expect(box.news?.pid == pid, "whoever watches the service sees none end")
        #expect(box.log.contains("the box starts anew with another one"))
        // What lies in the folder still is taken once more: the new database knows of none of it.
        try await record(frames[9..<10], count: 10)
        try await expectAlarm()
    }

    @Test(arguments: ["removed", "emptied"])
    func `that is removed or emptied under it is noticed, and recording goes on in a new one`(how: String) async throws
    {
        let frames = try RunningAppliance.frames()
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        try await record(frames.prefix(8), count: 8)
        try box.close()
        if how == "removed" {
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        } else {
            #expect(truncate(path, 0) == 0)
        }
        try await expectNewDatabase()
        try await record(frames[8..<9], count: 9)
        // Where its log was left there is something to keep.
        try await expectAlarm(how == "removed" ? "The database was removed or emptied" : "The database was")
    }

    @Test func `whose log is removed under it loses nothing that was in it, and records on`() async throws {
        let frames = try RunningAppliance.frames()
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        try await record(frames.prefix(8), count: 8)
        let (began, before) = (box.news?.startedAt, try box.opened().passages.list(limit: 100).map(\.passage.clientID))
        try box.close()
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        #expect(try await box.eventually { box.news?.startedAt != began }, "\(box.log)")
        #expect(box.log.contains("what was in it is saved"), "\(box.log)")
        #expect(try await box.eventually { box.part("camera.gate")?.state == "up" }, "\(box.log)")
        try await record(frames[8..<9], count: 9)
        // Where a process that was just starting has begun another log beside it, the database is set aside and read out.
        let isWhole = Store.setAsideFiles(path: path).isEmpty
        #expect(isWhole || box.log.contains("a new one was begun beside"), "\(box.log)")
        func recorded() throws -> Set<UUID> { Set(try box.opened().passages.list(limit: 100).map(\.passage.clientID)) }
        #expect(!before.isEmpty)
        #expect(try await box.eventually { try recorded().isSuperset(of: before) }, "\(box.log)")
        #expect(try await box.stop().status == 0)
    }

    @Test func `that is gone when it starts, with its photos there, is an alarm`() async throws {
        let frames = try RunningAppliance.frames()
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        try await record(frames.prefix(8), count: 8)
        #expect(try await box.stop().status == 0)
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        try box.start()
        try await expectNewDatabase()
        try await record(frames[8..<9], count: 9)
        try await expectAlarm("What had not been sent is lost but for its photos")
    }

    @Test func `that stood when it starts sets the file aside first`() async throws {
        let frames = try RunningAppliance.frames()
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        try await record(frames.prefix(8), count: 8)
        #expect(try await box.stop().status == 0)
        try damage()
        try box.start()
        try await expectNewDatabase()
        try await record(frames[8..<9], count: 9)
        try await expectAlarm()
    }

    /// Spoils the root of one table, so that the rest of the file can be read.
    private func spoil(table: String) throws {
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1], timeout=30)
            c.execute('pragma wal_checkpoint(truncate)')
            root = c.execute('select rootpage from sqlite_schema where name = ?', (sys.argv[2],)).fetchone()[0]
            c.close()
            with open(sys.argv[1], 'r+b') as f:
                f.seek(4096 * (root - 1))
                f.write(b'\\xa5' * 4096)
            """
        try python(script, path, table)
    }

    private func python(_ script: String, _ arguments: String...) throws {
        let result = try OtherProgram.runAndWait(
            "/usr/bin/env", ["python3", "-c", script] + arguments, limitSeconds: 60)
        try #require(result.status == 0, "\(result.output)")
    }

    @Test func `takes over what can be read of it, reads no picture twice, and says so`() async throws {
        let frames = try RunningAppliance.frames()
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        try await record(frames.prefix(8), count: 8)
        #expect(try await box.stop().status == 0)
        let before = try box.opened().passages.list(limit: 100).map(\.passage.clientID)
        let photos = try box.opened().passages.list(limit: 100).compactMap(\.passage.photoSHA256)
        try box.close()
        try spoil(table: "match_work")
        let began = ContinuousClock.now
        try box.start()
        try await expectNewDatabase()
        #expect(ContinuousClock.now - began < .seconds(60), "it records again while the rest is taken over")
        #expect(
            try await box.eventually { try box.opened().alarms.list().contains { $0.key == "database.salvaged" } },
            "\(box.log)")
        let store = try box.opened()
        #expect(Set(try store.passages.list(limit: 100).map(\.passage.clientID)).isSuperset(of: before))
        #expect(try store.queue.counts()[.pending] == store.passages.list(limit: 100).count)
        #expect(box.takenCount() == 8)
        let kept = PhotoStore(folder: box.folder["data"])
        for sha256 in photos { #expect(try kept.verify(try #require(try store.photos.record(sha256: sha256)))) }
        try await expectAlarm()
    }
}
