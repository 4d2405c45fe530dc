import Enforcement
import Foundation
import TestKit

/// A disk that can be taken away and put back with what is on it: a small disk that is mounted at a second place.
struct PluggableDisk {
    private let disk: SmallDisk
    let place: URL

    init() throws {
        disk = try SmallDisk(megabytes: 64)
        place = FileManager.default.temporaryDirectory.appendingPathComponent("checkpost-place-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try plug()
    }

    func plug() throws { try run("/bin/mount", ["--bind", disk.folder.path, place.path]) }

    /// - Parameter isHasty: while somebody has files open on it.
    func unplug(isHasty: Bool = false) throws { try run("/bin/umount", (isHasty ? ["-l"] : []) + [place.path]) }

    func remove() {
        try? unplug(isHasty: true)
        disk.remove()
        try? FileManager.default.removeItem(at: place)
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        let result = try OtherProgram.runAndWait(program, arguments, limitSeconds: 60)
        guard result.status == 0 else {
            throw AdvisedError("\(program) failed: \(result.output)", hint: "Run the tests as root.")
        }
    }
}
