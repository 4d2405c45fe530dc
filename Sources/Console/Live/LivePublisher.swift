import Enforcement
import Foundation
import MachineClock

/// Writes a camera's newest picture where the console's process finds it: only while somebody looks, and a few times a second at most.
package struct LivePublisher: Sendable {
    private static let interval = Duration.milliseconds(250)

    private let camera: String
    private let pictures: LivePictures
    private let folder: URL

    package init(camera: String, pictures: LivePictures, folder: URL) {
        self.camera = camera
        self.pictures = pictures
        self.folder = folder
    }

    /// Returns when its task is cancelled.
    package func run() async {
        var wish = Wish()
        var written = 0
        while !Task.isCancelled {
            let (isWanted, isNew) = wish.look(LivePictureFolder.wish(in: folder), at: MachineClock.uptime)
            if isWanted, let picture = pictures[camera], isNew || picture.number != written {
                // A disk that takes nothing costs only the view.
                if write(picture) { written = picture.number }
            }
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func write(_ picture: LivePicture) -> Bool {
        guard let data = try? LivePictureFile.data(picture) else { return false }
        let file = LivePictureFolder.file(of: camera, in: folder)
        let new = file.appendingPathExtension("new")
        do {
            try data.write(to: new)
        } catch {
            return false
        }
        return rename(new.path, file.path) == 0
    }

    /// Follows the wish file by this process's own clock: the wall clock may be set.
    private struct Wish {
        private var modified: Instant?
        private var changedAt: Instant?

        /// - Returns: whether somebody looks, and whether they began to just now.
        mutating func look(_ file: URL, at now: Instant) -> (isWanted: Bool, isNew: Bool) {
            var status = stat()
            guard stat(file.path, &status) == 0 else { return (false, false) }
            let before = changedAt
            let time = LivePictureFolder.modified(status)
            if time != modified {
                modified = time
                changedAt = now
            }
            let isWanted = changedAt.map { now - $0 < LivePictureFolder.wishLasts } ?? false
            let wasWanted = before.map { now - $0 < LivePictureFolder.wishLasts } ?? false
            return (isWanted, isWanted && !wasWanted)
        }
    }
}
