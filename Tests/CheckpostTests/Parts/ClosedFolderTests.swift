import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

/// The real program, with the rights of a user that the service could have, and a data folder that is no longer that user's.
@Suite("A box that may not use its data folder", .timeLimit(.minutes(10)), .serialized)
struct ClosedFolderTests {
    private static let nobody: uid_t = 65534

    /// Whether tests may become another user, for whom the program is there as well.
    private static let canBecome: Bool = {
        guard geteuid() == 0, let process = try? Program.start(["--version"], as: nobody) else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    private let box: RunningAppliance
    private let frames: [URL]

    private var home: URL { box.folder["data"] }
    private var standIn: URL { box.folder["spare/data"] }

    init() throws {
        box = try RunningAppliance(hasSpare: true)
        frames = try RunningAppliance.frames()
    }

    private func give(_ path: URL, to owner: String, mode: String) throws {
        for arguments in [["/bin/chown", "-R", "\(owner):\(owner)"], ["/bin/chmod", "-R", mode]] {
            let result = try OtherProgram.runAndWait(
                arguments[0], Array(arguments.dropFirst()) + [path.path], limitSeconds: 60)
            #expect(result.status == 0, "\(result)")
        }
    }

    @Test(.enabled(if: canBecome, "needs root, and a program that others may run"), arguments: [true, false])
    func `records in the spare folder, says whose the folder has to be, and goes home with its records`(
        isRunning: Bool
    ) async throws {
        try give(box.folder.url, to: "65534", mode: "u+rwX,go+rX")
        try box.start(as: Self.nobody)
        #expect(try await box.isUp(in: home), "\(box.log)")
        try await box.take(frames.prefix(12), in: home, count: 12)
        let before = try box.passages(in: home)
        #expect(!before.isEmpty)
        if !isRunning { #expect(try await box.stop().status == 0) }
        // As a live camera, which shows nothing twice.
        for frame in frames.prefix(12) { unlink(box.folder["incoming/" + frame.lastPathComponent].path) }
        try give(home, to: "0", mode: "u=rwX,go=")
        if !isRunning { try box.start(as: Self.nobody) }
        #expect(try await box.isUp(in: standIn), "\(box.log)")
        try await box.take(frames[12..<26], in: standIn, count: 14)
        let alarm = try box.look(into: standIn) { try $0.alarms.list().first { $0.key == "disk.closed" } }
        #expect(alarm?.hint?.contains("sudo chown -R nobody: \(home.path)") == true, "\(String(describing: alarm))")
        let meanwhile = try box.passages(in: standIn)
        #expect(!meanwhile.subtracting(before).isEmpty, "\(box.log)")
        try give(home, to: "65534", mode: "u+rwX")
        #expect(try await box.isUp(in: home), "\(box.log)")
        #expect(
            try await box.eventually { try box.passages(in: home).isSuperset(of: before.union(meanwhile)) },
            "\(box.log)")
        #expect(
            try await box.eventually {
                try box.look(into: home) { try !$0.alarms.list().contains { $0.key == "disk.closed" } }
            })
        #expect(try await box.stop().status == 0)
    }

    @Test func `whose data folder is moved away while it runs says so in the one that it begins`() async throws {
        try box.start()
        #expect(try await box.isUp(in: home), "\(box.log)")
        try await box.take(frames.prefix(8), in: home, count: 8)
        let began = box.news?.startedAt
        try FileManager.default.moveItem(at: home, to: box.folder["data.moved"])
        #expect(try await box.eventually { box.news.map { $0.startedAt != began } == true }, "\(box.log)")
        #expect(try await box.isUp(in: home), "\(box.log)")
        let alarm = try box.look(into: home) { try $0.alarms.list().first { $0.key == "database.damaged" } }
        #expect(alarm?.message.contains("was moved away") == true, "\(String(describing: alarm)) \(box.log)")
        try await box.take(frames[8..<9], in: home, count: 9)
        #expect(try await box.stop().status == 0)
        #expect(try !box.passages(in: box.folder["data.moved"]).isEmpty, "what was moved is whole")
    }
}
