import Enforcement
import Foundation
import Testing

@testable import Capture

@Suite("The folder under a watch", .timeLimit(.minutes(10)))
struct FolderChangeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `says that the folder is missing, and how to go on`() async throws {
        let missing = FolderSource(camera: "gate", path: folder.file("nowhere"), mode: .watch)
        await #expect {
            try await missing.run { _ in }
        } throws: { error in
            guard let failure = error as? CameraFailure else { return false }
            return failure.reason.contains("nowhere: no such file") && failure.hint.contains("Create the folder")
        }
    }

    @Test func `has one watcher at a time, and may be taken over`() async throws {
        try await running(folder.source()) { given in
            try await eventually("open") { given.isOpen }
            let second = folder.source()
            await #expect {
                try await second.run { _ in }
            } throws: { error in
                (error as? CameraFailure)?.reason.contains("watched already") == true
            }
        }
        try await running(folder.source()) { given in try await eventually("open") { given.isOpen } }
    }

    @Test func `goes on after the folder was deleted and made again`() async throws {
        let path = folder.file("inbox")
        let files = FileManager.default
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        let supervised = SupervisedSource(
            camera: "gate", source: FolderSource(camera: "gate", path: path, mode: .watch, clock: .simulated),
            silentAfter: nil, backoff: Backoff(firstDelay: .milliseconds(50), longestDelay: .milliseconds(200)))
        let given = Collector()
        let task = Task {
            try await supervised.run {
                given.take($0)
            } report: {
                given.report($0)
            }
        }
        defer { task.cancel() }
        try await eventually("connected") { given.events == [.connected] }
        try files.removeItem(atPath: path)
        try await eventually("failed") { supervised.status.phase == .failed }
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        try await eventually("recovered") { supervised.status.phase == .connected }
        try Pictures.pgm().write(to: URL(fileURLWithPath: path + "/a.pgm"))
        try await eventually("the frame") { given.frames.count == 1 }
        #expect(given.events.count == 3)
        #expect(supervised.status.frameCount == 1)
    }

    @Test func `notices that another folder took its place`() async throws {
        let path = folder.file("inbox")
        let files = FileManager.default
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        let given = Collector()
        let task = Task {
            try await FolderSource(camera: "gate", path: path, mode: .watch).run { given.take($0) }
        }
        try await eventually("open") { given.isOpen }
        try files.moveItem(atPath: path, toPath: path + ".old")
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        await #expect(throws: CameraFailure.self) { try await task.value }
    }
}
