import Capture
import Enforcement
import Foundation

/// What the services have to be told of a post: folders that lie outside their own, and the disk of the records.
package enum ServiceUnits {
    private static let names = ["checkpost", "checkpost-answers@", "checkpost-self-test"]

    /// Writes it for systemd, which has to read it anew then. A disk that is away now is told as it was.
    package static func write(_ configuration: Configuration, below root: String = "/etc/systemd/system") throws {
        let home = DataHome(configuration)
        let known = home.remembered.flatMap { $0.folder == home.folder ? $0.mountPoint : nil }
        let text = lines(
            dataFolder: configuration.homeFolder, mountPoint: known ?? home.mountPoint, cameras: configuration.cameras,
            spare: configuration.spareFolder)
        for name in names {
            let folder = "\(root)/\(name).service.d"
            let path = folder + "/data-folder.conf"
            guard let text else {
                unlink(path)
                continue
            }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            _ = chmod(folder, 0o755)
            try ServiceUser.write(Data(text.utf8), to: path, for: nil)
        }
    }

    /// Nil when there is nothing to tell.
    ///
    /// - Parameters:
    ///   - mountPoint: where the disk of the data folder is mounted.
    ///   - cameras: their folders, out of which it takes pictures that are answered for.
    package static func lines(
        dataFolder: String, mountPoint: String = "/", cameras: [CameraConfiguration] = [], spare: String? = nil
    ) -> String? {
        let own = Configuration().dataFolder
        let folders = cameras.compactMap { camera -> String? in
            guard case .folder(let path) = camera.kind, camera.answered != .keep else { return nil }
            return path
        }
        let outside = ([dataFolder] + (spare.map { [$0] } ?? []) + folders).filter {
            $0 != own && !$0.hasPrefix(own + "/") && $0 != DataHome.usualSpare
        }
        // Wanted and waited for, and not required: without its disk the box records in its spare folder.
        let unit = mountPoint == "/" ? nil : mountUnit(mountPoint)
        guard !outside.isEmpty || unit != nil else { return nil }
        return "# Written by `checkpost setup`: what belongs to this post.\n"
            + (unit.map { "[Unit]\nWants=\($0)\nAfter=\($0)\n" } ?? "")
            // One that is not there must not keep the service from starting.
            + (outside.isEmpty ? "" : "[Service]\n" + outside.map { "ReadWritePaths=-\($0)\n" }.joined())
    }

    /// `/mnt/my disk` is mounted by `mnt-my\x20disk.mount`.
    static func mountUnit(_ path: String) -> String {
        let words = path.split(separator: "/").map { word in
            word.utf8.enumerated().map { index, byte in
                let isPlain =
                    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || [UInt8(ascii: ":"), UInt8(ascii: "_")].contains(byte) || (byte == UInt8(ascii: ".") && index > 0)
                let digits = String(byte, radix: 16)
                return isPlain ? String(UnicodeScalar(byte)) : "\\x" + (digits.count < 2 ? "0" : "") + digits
            }.joined()
        }
        return words.joined(separator: "-") + ".mount"
    }
}
