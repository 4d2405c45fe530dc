import Foundation
import TestKit
import Testing

@testable import Capture

@Suite("A folder that is tidied", .timeLimit(.minutes(5)))
struct FolderTidyingTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tidy-\(UUID().uuidString)")
    private var tidying: FolderTidying { FolderTidying(path: folder.path) }

    private func write(_ text: String, _ name: String) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".jpg") }.sorted()
    }

    @Test func `gives up what was answered for, and nothing else`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("one", "1.jpg")
        try write("two", "2026-11-21/2.jpg")
        let picture = try #require(try tidying.pictures().first { $0.key.hasPrefix("2.jpg") })
        #expect(try tidying.take(picture, moves: false))
        #expect(try !tidying.take(picture, moves: false), "it is gone")
        #expect(try names() == ["1.jpg"])
    }

    @Test func `keeps a picture that took the name of one that was answered for`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("old", "now.jpg")
        let old = try #require(try tidying.pictures().first)
        try write("a newer one", "now.jpg")
        #expect(try !tidying.take(old, moves: false))
        #expect(try names() == ["now.jpg"])
        #expect(try tidying.pictures().first?.bytes == "a newer one".utf8.count)
    }

    @Test func `moves to done, where nobody reads it again, two of one name side by side`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("one", "a/now.jpg")
        try write("other", "b/now.jpg")
        for picture in try tidying.pictures() { #expect(try tidying.take(picture, moves: true)) }
        #expect(try names().count == 2)
        #expect(try names().allSatisfy { $0.hasPrefix("done/") })
        #expect(try tidying.pictures().isEmpty)
        #expect(try FolderDirectory(path: folder.path).listing().folders.contains("done") == false)
    }
}
