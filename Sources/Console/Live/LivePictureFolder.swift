import Enforcement
import Foundation
import MachineClock
import Synchronization

/// Reads the live pictures that the cameras' processes publish in a folder.
///
/// They are only written while somebody looks, which the time of the file `live.wish` says. So who looks for the first time in a while
/// waits a moment for them.
final class LivePictureFolder: Sendable {
    /// For so long after a look the cameras go on writing.
    static let wishLasts = TimeSpan.seconds(10)

    /// Cameras look for a wish this often or oftener; on a busy box one may be late.
    private static let patienceSteps = 30
    private static let patienceStep: UInt32 = 20_000
    private static let suffix = ".live"

    private struct Seen: Equatable {
        var inode: UInt64 = 0
        var size = 0
        var modified = Instant(milliseconds: 0)
    }

    private struct State {
        var known: [String: (seen: Seen, picture: LivePicture)] = [:]
        var lastWish: Instant?
    }

    private let folder: URL
    private let state = Mutex(State())

    init(_ folder: URL) {
        self.folder = folder
    }

    static func file(of camera: String, in folder: URL) -> URL {
        folder.appendingPathComponent("camera.\(camera)\(suffix)")
    }

    static func wish(in folder: URL) -> URL { folder.appendingPathComponent("live.wish") }

    /// By camera.
    func pictures() -> [String: LivePicture] {
        state.withLock { state in
            let now = MachineClock.uptime
            let isFresh = state.lastWish.map { now - $0 < Self.wishLasts } ?? false
            state.lastWish = now
            let before = look()
            touch()
            var files = before
            for _ in 0..<Self.patienceSteps where !isFresh && files == before {
                usleep(Self.patienceStep)
                files = look()
            }
            for (name, seen) in files where state.known[name]?.seen != seen {
                let data = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
                if let picture = data.flatMap(LivePictureFile.picture) { state.known[name] = (seen, picture) }
            }
            return Dictionary(state.known.values.map { ($0.picture.camera, $0.picture) }) { first, _ in first }
        }
    }

    private func touch() {
        let path = Self.wish(in: folder).path
        if utimes(path, nil) != 0 {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o640)
            if descriptor >= 0 { close(descriptor) }
        }
    }

    private func look() -> [String: Seen] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(Self.suffix) }.reduce(into: [:]) { files, name in
            files[name] = Self.seen(folder.appendingPathComponent(name).path)
        }
    }

    private static func seen(_ path: String) -> Seen? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Seen(inode: UInt64(status.st_ino), size: Int(status.st_size), modified: modified(status))
    }

    static func modified(_ status: stat) -> Instant {
        Instant(milliseconds: Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000)
    }
}
