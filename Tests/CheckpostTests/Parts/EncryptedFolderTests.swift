import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

/// A small ext4 in a file, mounted; nil where that can't be done.
private final class EncryptableDisk {
    static let isPossible = (try? EncryptableDisk()) != nil

    let folder: TemporaryFolder
    var place: URL { folder["mounted/records"] }

    init?() throws {
        let needed = ["/usr/bin/fscrypt", "/sys/fs/ext4/features/encryption"]
        guard geteuid() == 0, needed.allSatisfy(FileManager.default.fileExists) else { return nil }
        folder = try TemporaryFolder()
        for name in ["mounted", "etc"] {
            try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
        }
        let image = folder["image"].path
        for command in [
            ["/usr/bin/truncate", "-s", "256M", image], ["/sbin/mkfs.ext4", "-q", image],
            ["/bin/mount", "-o", "loop", image, folder["mounted"].path],
        ] {
            guard try OtherProgram.runAndWait(command[0], Array(command.dropFirst())).status == 0 else {
                return nil
            }
        }
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        _ = try folder.write("what a chip says, and no disk knows\n", to: "secret")
        _ = try folder.write("a-password\n", to: "etc/server.password")
    }

    deinit { _ = try? OtherProgram.runAndWait("/bin/umount", ["-l", folder["mounted"].path]) }

    func encrypt(_ arguments: String..., input: String = "") throws -> OtherProgram.Result {
        try OtherProgram.runAndWait(
            Checkout.root.appendingPathComponent("deploy/encrypt").path, arguments,
            environment: ["CHECKPOST_ETC": folder["etc"].path], input: input)
    }

    /// What is written in the text that a technician keeps.
    static func recoveryKey(in text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .first { $0.split(separator: " ").count == 16 } ?? ""
    }

    /// As after a boot: the kernel has no key.
    func close() throws {
        _ = try OtherProgram.runAndWait("/usr/bin/fscrypt", ["lock", place.path])
        #expect(try OtherProgram.runAndWait("/usr/bin/touch", [place.path + "/x"]).status != 0)
    }

    func begin() throws -> String {
        let begun = try encrypt("begin", place.path, "--key-command", "cat \(folder["secret"].path)")
        #expect(begun.status == 0, "\(begun.output)")
        return Self.recoveryKey(in: begun.output)
    }
}

/// The real program and the real script, on a file system of their own that the kernel encrypts.
@Suite(
    "A box whose records are encrypted",
    .enabled(if: EncryptableDisk.isPossible, "needs root, fscrypt, a loop device, and a kernel that encrypts"),
    .timeLimit(.minutes(10)),
    .serialized)
struct EncryptedFolderTests {
    @Test func `records in the spare folder while the key is missing, and brings all home once it is there`()
        async throws
    {
        let disk = try #require(try EncryptableDisk())
        let box = try RunningAppliance(place: disk.place, hasSpare: true)
        let frames = try RunningAppliance.frames()
        let (home, standIn) = (box.folder["data"], box.folder["spare/data"])
        try box.start()
        #expect(try await box.isUp(in: home), "\(box.log)")
        try await box.take(frames.prefix(12), in: home, count: 12)
        let before = try box.passages(in: home)
        #expect(!before.isEmpty)
        #expect(try await box.stop().status == 0)
        for frame in frames.prefix(12) { unlink(box.folder["incoming/" + frame.lastPathComponent].path) }

        _ = try disk.begin()
        #expect(try box.passages(in: home) == before, "the copy is whole")
        try disk.close()
        try box.start()
        #expect(try await box.isUp(in: standIn), "\(box.log)")
        try await box.take(frames[12..<26], in: standIn, count: 14)
        let alarm = try box.look(into: standIn) { try $0.alarms.list().first { $0.key == "disk.locked" } }
        #expect(alarm?.hint?.contains("checkpost-encrypt rebind") == true, "\(String(describing: alarm))")
        let meanwhile = try box.passages(in: standIn)
        #expect(!meanwhile.subtracting(before).isEmpty, "\(box.log)")

        #expect(try disk.encrypt("unlock").status == 0)
        #expect(try await box.isUp(in: home), "\(box.log)")
        #expect(
            try await box.eventually { try box.passages(in: home).isSuperset(of: before.union(meanwhile)) },
            "\(box.log)")
        #expect(
            try await box.eventually {
                try box.look(into: home) { try !$0.alarms.list().contains { $0.key == "disk.locked" } }
            })
        #expect(try await box.stop().status == 0)
    }

    @Test func `shows nothing to another machine, and opens there with the recovery key`() throws {
        let disk = try #require(try EncryptableDisk())
        _ = try FileManager.default.createDirectory(
            at: disk.place.appendingPathComponent("photos"), withIntermediateDirectories: true)
        try Data("BA 1 PA 1234".utf8).write(to: disk.place.appendingPathComponent("photos/plate.txt"))
        let password = disk.folder["etc/server.password"]
        let key = try disk.begin()
        #expect(key.count == 79, "\(key)")
        #expect(try String(contentsOf: password, encoding: .utf8) == "a-password\n", "the box finds it as before")
        #expect(
            try String(decoding: Data(contentsOf: disk.folder["etc/encryption"]), as: UTF8.self)
                .contains(key.replacing(" ", with: "")) == false)

        try disk.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: disk.place.path)
        #expect(!names.contains("photos") && !FileManager.default.fileExists(atPath: password.path), "\(names)")
        _ = try disk.folder.write("another chip, which says another thing\n", to: "secret")
        let refused = try disk.encrypt("unlock")
        #expect(refused.status != 0 && refused.output.contains("checkpost-encrypt rebind"), "\(refused.output)")
        let wrong = try disk.encrypt("rebind", input: key.replacing(key.prefix(4), with: "0000") + "\n")
        #expect(wrong.status != 0 && wrong.output.contains("not the recovery key"), "\(wrong.output)")
        #expect(try disk.encrypt("forget").status != 0, "nothing is removed while it is closed")

        let bound = try disk.encrypt("rebind", input: key + "\n")
        #expect(bound.status == 0, "\(bound.output)")
        try disk.close()
        #expect(try disk.encrypt("unlock").status == 0, "it is this machine's now")
        let plate = disk.place.appendingPathComponent("photos/plate.txt")
        #expect(try String(contentsOf: plate, encoding: .utf8) == "BA 1 PA 1234")
        #expect(FileManager.default.fileExists(atPath: disk.place.path + ".plain"))
        #expect(try disk.encrypt("forget").status == 0)
        #expect(!FileManager.default.fileExists(atPath: disk.place.path + ".plain"))
        #expect(try disk.encrypt("status").output.contains("encrypted, and open"))
    }

    @Test func `that was cut off between two names is whole after the next boot`() throws {
        let disk = try #require(try EncryptableDisk())
        try Data("x".utf8).write(to: disk.place.appendingPathComponent("record"))
        _ = try disk.begin()
        try FileManager.default.moveItem(atPath: disk.place.path, toPath: disk.place.path + ".encrypted")
        let opened = try disk.encrypt("unlock")
        #expect(opened.status == 0, "\(opened.output)")
        #expect(try Data(contentsOf: disk.place.appendingPathComponent("record")) == Data("x".utf8))
        // Somebody put an unencrypted one there: it is not moved aside for one that isn't there.
        try FileManager.default.moveItem(atPath: disk.place.path, toPath: disk.place.path + ".elsewhere")
        try FileManager.default.createDirectory(at: disk.place, withIntermediateDirectories: true)
        let left = try disk.encrypt("unlock")
        #expect(left.status != 0 && left.output.contains("is not encrypted, though"), "\(left.output)")
        #expect(FileManager.default.fileExists(atPath: disk.place.path))
    }
}
