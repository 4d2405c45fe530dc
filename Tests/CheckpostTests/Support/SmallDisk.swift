import Enforcement
import Foundation
import TestKit

@testable import checkpost

/// A disk in memory that fills up soon; only the superuser can mount one.
struct SmallDisk {
    static var isPossible: Bool { (try? SmallDisk(megabytes: 1))?.remove() != nil }

    let folder: URL

    /// - Parameter files: how many names it takes; nil for as many as there is room for.
    init(megabytes: Int, files: Int? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("checkpost-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let options = "size=\(megabytes)m" + (files.map { ",nr_inodes=\($0)" } ?? "")
        let mount = Self.run("/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder.path])
        guard mount == 0 else {
            try FileManager.default.removeItem(at: folder)
            throw AdvisedError("No small disk can be mounted here.", hint: "Run the tests as root.")
        }
    }

    private var filler: URL { folder.appendingPathComponent("filler") }

    /// Takes all the room there is.
    func fill() {
        let descriptor = open(filler.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        for size in [4096, 1] {
            let block = [UInt8](repeating: 0, count: size)
            while write(descriptor, block, block.count) > 0 {}
        }
    }

    /// Takes all the names there are, and hardly any room.
    func fillWithFiles() throws {
        try FileManager.default.createDirectory(at: filler, withIntermediateDirectories: true)
        var number = 0
        while true {
            let descriptor = open(filler.appendingPathComponent("\(number)").path, O_WRONLY | O_CREAT, 0o600)
            guard descriptor >= 0 else { return }
            close(descriptor)
            number += 1
        }
    }

    func makeRoom() throws { try FileManager.default.removeItem(at: filler) }

    func remove() {
        _ = Self.run("/bin/umount", ["-l", folder.path])
        try? FileManager.default.removeItem(at: folder)
    }

    private static func run(_ program: String, _ arguments: [String]) -> Int32 {
        (try? OtherProgram.runAndWait(program, arguments, limitSeconds: 60).status) ?? -1
    }
}
