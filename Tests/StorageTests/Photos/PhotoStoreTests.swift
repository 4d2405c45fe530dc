import Enforcement
import Foundation
import TestKit
import Testing

@testable import Storage

@Suite("A photo store", .timeLimit(.minutes(10)))
struct PhotoStoreTests {
    private let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0] + (0..<200).map { UInt8($0) })

    private func files(_ test: TestStore) throws -> [String] {
        let photos = test.folder.appendingPathComponent("photos")
        return try FileManager.default.subpathsOfDirectory(atPath: photos.path).filter { $0.contains(".") }.sorted()
    }

    /// Makes a file two hours old.
    private func age(_ record: PhotoRecord, in test: TestStore) throws {
        let file = test.folder.appendingPathComponent(record.path).path
        let date = Date(timeIntervalSinceNow: -7200)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
    }

    private var anHourAgo: Instant { Instant(seconds: Date().timeIntervalSince1970 - 3600) }

    @Test func `keeps a picture byte for byte under its hash and its day`() throws {
        let test = try TestStore()
        let record = try test.photos.keep(jpeg, recordedAt: minute(0), at: minute(1))
        #expect(record.path == "photos/2026-11-21/\(PhotoStore.sha256(of: jpeg)).jpg")
        #expect(record.mediaType == "image/jpeg")
        #expect(record.bytes == jpeg.count)
        #expect(try test.photos.read(record) == jpeg)
        #expect(try test.photos.verify(record))
        #expect(try test.photos.keep(jpeg, recordedAt: minute(0), at: minute(2)).path == record.path)
        // No half-written file is left beside it.
        #expect(try files(test) == ["2026-11-21/\(record.sha256).jpg"])
    }

    @Test func `knows the hash of a known text`() {
        #expect(
            PhotoStore.sha256(of: Data("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func `notices a picture that was changed on the disk`() throws {
        let test = try TestStore()
        let record = try test.photos.keep(jpeg, recordedAt: minute(0), at: minute(1))
        var changed = jpeg
        changed[50] ^= 1
        try changed.write(to: test.folder.appendingPathComponent(record.path))
        #expect(try test.photos.verify(record) == false)
        // Keeping the true one again puts it right.
        try test.photos.keep(jpeg, recordedAt: minute(0), at: minute(1))
        #expect(try test.photos.verify(record))
        try test.photos.remove(record)
        #expect(throws: StoreError.self) { try test.photos.verify(record) }
    }

    @Test func `removes old files that no row refers to, and only those`() throws {
        let test = try TestStore()
        let known = try test.photos.keep(jpeg, recordedAt: minute(0), at: minute(1))
        let orphan = try test.photos.keep(jpeg + [1], recordedAt: minute(0), at: minute(1))
        let fresh = try test.photos.keep(jpeg + [2], recordedAt: minute(0), at: minute(1))
        let returned = try test.photos.keep(jpeg + [3], recordedAt: minute(0), at: minute(1))
        for record in [known, orphan, returned] { try age(record, in: test) }
        // Its frame is taken again after the crash, and its row is about to come.
        try test.photos.keep(jpeg + [3], recordedAt: minute(0), at: minute(2))
        try test.store.frames.commit(FrameCommit(camera: "gate", photos: [known], at: minute(1)))

        #expect(try test.photos.removeOrphans(in: test.store, writtenBefore: anHourAgo) == 1)
        #expect(
            Set(try files(test)) == Set([known, fresh, returned].map { String($0.path.dropFirst("photos/".count)) }))
    }

    @Test func `removes what nothing refers to any more, and only that`() throws {
        let test = try TestStore()
        let records = try (0..<5).map { try test.photos.keep(jpeg + [UInt8($0)], recordedAt: minute(0), at: minute(1)) }
        let passage = samplePassage(photoSHA256: records[0].sha256)
        try test.store.frames.commit(
            FrameCommit(
                camera: "gate", trackerState: Data(#"{"best":"\#(records[1].sha256)"}"#.utf8), photos: records,
                recordings: [.init(passage: passage, sighting: nil)],
                reviews: [sampleSighting(1, sha256: records[2].sha256)],
                open: [sampleSighting(2, sha256: records[3].sha256)], at: minute(1)))
        #expect(try test.photos.removeUnreferenced(in: test.store, keptBefore: minute(2), at: minute(2)).count == 1)
        #expect(try test.store.photos.record(sha256: records[4].sha256) == nil)

        // The vehicle that was watched is nothing after all. The ranger discards the other, whose picture stays: that can be undone.
        try test.store.frames.commit(FrameCommit(camera: "gate", open: [], at: minute(2)))
        try test.store.sightings.discardReviewed(sightingID: "gate/1", by: "ram", at: minute(2))
        #expect(try test.photos.removeUnreferenced(in: test.store, keptBefore: minute(2), at: minute(2)).count == 1)
        #expect(try files(test).count == 3)
        #expect(try test.photos.verify(records[2]))
        #expect(try test.photos.verify(records[0]))
        #expect(try test.photos.verify(records[1]))
    }

    @Test(.enabled(if: SmallDisk.isPossible))
    func `says that the disk is full, and the passage is recorded without its photo`() throws {
        let disk = try SmallDisk(megabytes: 1)
        defer { disk.remove() }
        let test = try TestStore()
        let error = #expect(throws: StoreError.self) {
            for number in 0..<20 {
                let picture = Data(repeating: UInt8(number), count: 100_000)
                try PhotoStore(folder: disk.folder).keep(picture, recordedAt: minute(0), at: minute(1))
            }
        }
        #expect(error?.kind == .diskFull)
        #expect(error?.hint?.contains("without their photos") == true)
        try test.store.passages.record(samplePassage(), at: minute(1))
    }
}

/// A file system of its own that is quickly full. Only root can make one.
struct SmallDisk {
    static var isPossible: Bool { (try? SmallDisk(megabytes: 1))?.remove() != nil }

    let folder: URL

    init(megabytes: Int, isReadOnly: Bool = false) throws {
        folder = try TestStore.makeFolder()
        let options = "size=\(megabytes)m" + (isReadOnly ? ",ro" : "")
        let status = try Self.run("/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder.path])
        guard status == 0 else {
            try FileManager.default.removeItem(at: folder)
            throw StoreError(.other, "No small disk can be mounted here.")
        }
    }

    /// Writes a file until nothing more fits.
    func fill(_ file: URL) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, block, block.count) > 0 {}
    }

    func remove() {
        _ = try? Self.run("/bin/umount", [folder.path])
        try? FileManager.default.removeItem(at: folder)
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
        try OtherProgram.runAndWait(program, arguments).status
    }
}
