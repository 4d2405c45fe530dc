import Enforcement
import Foundation

extension PhotoStore {
    /// Removes files of the photo folder that no row refers to: what a crash left between the file and its row.
    ///
    /// Only files last written before `cutoff` go (an hour ago, say), so that a photo that is just being kept is left alone.
    /// Call it at the start, before frames are taken.
    ///
    /// - Parameter limit: how many files are looked at, at most; the next start goes on.
    /// - Returns: how many were removed.
    @discardableResult
    package func removeOrphans(in store: Store, writtenBefore cutoff: Instant, limit: Int = 20_000) throws -> Int {
        let root = folder.appendingPathComponent("photos")
        let manager = FileManager.default
        let days = ((try? manager.contentsOfDirectory(atPath: root.path)) ?? []).sorted().reversed()
        var looked = 0
        var removed = 0
        for day in days where looked < limit {
            let names = ((try? manager.contentsOfDirectory(atPath: root.appendingPathComponent(day).path)) ?? [])
                .prefix(limit - looked)
            looked += names.count
            let paths = names.map { "photos/\(day)/\($0)" }.filter { wasWritten($0, before: cutoff) }
            let known = try store.photos.knownPaths(among: paths)
            for path in paths where !known.contains(path) {
                try remove(path: path)
                removed += 1
            }
        }
        return removed
    }

    /// Removes photos that nothing refers to any more: earlier best frames, discarded sightings.
    ///
    /// The row goes first: a crash in between leaves an orphan, never a row without its file.
    ///
    /// - Returns: how many were removed.
    @discardableResult
    package func removeUnreferenced(in store: Store, keptBefore cutoff: Instant, limit: Int = 500) throws -> Int {
        var removed = 0
        for photo in try store.photos.unreferenced(keptBefore: cutoff, limit: limit) {
            guard try store.photos.forget(sha256: photo.sha256) else { continue }
            try remove(photo)
            removed += 1
        }
        return removed
    }

    private func wasWritten(_ path: String, before cutoff: Instant) -> Bool {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url(of: path).path),
            let written = attributes[.modificationDate] as? Date
        else { return false }
        return Instant(seconds: written.timeIntervalSince1970) < cutoff
    }
}
