import Foundation
import Synchronization
import TestKit
import Testing

@testable import checkpost_server

@Suite("A photo at the server", .timeLimit(.minutes(5)))
struct PhotoStoreTests {
    /// What was brought to the disk, in order, with what the folder of the photo held at that moment.
    private final class Synced: Sendable {
        let steps = Mutex<[String]>([])

        func note(_ descriptor: Int32, folder: URL) -> Int32 {
            let path =
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? "?"
            let place = path == folder.path ? "the folder of all" : path.hasSuffix("/ab") ? "its folder" : "the file"
            let held = (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/ab")) ?? []
            let isNamed = held.contains { $0.count == 64 }
            steps.withLock { $0.append(place + (isNamed ? ", named" : ", unnamed")) }
            return fsync(descriptor)
        }
    }

    private let folder = URL(fileURLWithPath: "/tmp").appendingPathComponent("photos-" + UUID().uuidString)
    private let hash = "ab" + String(repeating: "0", count: 62)

    @Test func `is on the disk before its name, and its name before it is answered for`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (folder, synced) = (folder, Synced())
        let store = PhotoFolder(folder.path) { synced.note($0, folder: folder) }
        try store.put(Data(count: 1000), as: hash)
        #expect(
            synced.steps.withLock { $0 } == ["the file, unnamed", "its folder, named", "the folder of all, named"])
        // Whoever sends it again has no answer before the name is there for good: the first sender's may still be under way.
        try store.put(Data(count: 1000), as: hash)
        #expect(synced.steps.withLock { $0 }.dropFirst(3) == ["its folder, named"])
    }

    @Test(arguments: ["the file", "its folder"]) func `is none while the disk doesn't take it`(place: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (folder, synced) = (folder, Synced())
        let store = PhotoFolder(folder.path) { descriptor in
            _ = synced.note(descriptor, folder: folder)
            return synced.steps.withLock { $0.last?.hasPrefix(place) == true } ? -1 : 0
        }
        #expect(throws: CocoaError.self) { try store.put(Data(count: 1000), as: hash) }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/ab")
        #expect(left.allSatisfy { $0.count == 64 } && (place == "its folder" || left.isEmpty), "\(left)")
    }

    @Test(.enabled(if: geteuid() == 0)) func `belongs to the owner of the folder where root moved it there`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #expect(chown(folder.path, 65_534, 65_534) == 0)
        let store = PhotoFolder(folder.path)
        try store.put(Data(count: 1000), as: hash)
        try store.giveToOwner(hash)
        for name in ["ab", "ab/" + hash] {
            var information = stat()
            let status = stat(folder.path + "/" + name, &information)
            #expect(status == 0 && information.st_uid == 65_534 && information.st_gid == 65_534, "\(name)")
        }
    }

    @Test func `is not said to be gone where nobody can look or remove`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = PhotoFolder(folder.path)
        #expect(try store.size(of: hash) == nil && store.open(hash) == nil)
        try store.remove(hash)
        // A file where a folder should be is no answer either, whoever asks.
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: folder.appendingPathComponent("ab"))
        #expect(throws: CocoaError.self) { try store.size(of: hash) }
        #expect(throws: CocoaError.self) { try store.open(hash) }
        #expect(throws: CocoaError.self) { try store.remove(hash) }
    }
}
