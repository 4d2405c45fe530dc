import Enforcement
import Foundation

extension PhotoStore {
    /// Removes files of the photo folder that no row refers to: what a crash left between the file and its row.
    ///
    /// Only files last written before `cutoff` go (an hour ago, say), so that a photo that is just being kept is left alone.
    /// Call it at the start, before frames are taken.
    ///
    /// After records were lost nothing goes for a while: the passages come back from the server, and find their photos.
    /// The folder of a day that holds nothing any more goes as well.
    ///
    /// - Returns: how many were removed.
    @discardableResult
    package func removeOrphans(in store: Store, writtenBefore cutoff: Instant) throws -> Int {
        if let until = try store.cursors.value(SyncCursor.orphansKeptUntil), cutoff.milliseconds < until { return 0 }
        let root = folder.appendingPathComponent("photos")
        let manager = FileManager.default
        var removed = 0
        for day in (try? manager.contentsOfDirectory(atPath: root.path)) ?? [] {
            let place = root.appendingPathComponent(day).path
            let paths = ((try? manager.contentsOfDirectory(atPath: place)) ?? []).map { "photos/\(day)/\($0)" }
            let known = try store.photos.knownPaths(among: paths)
            for path in paths where !known.contains(path) && wasWritten(path, before: cutoff) {
                try remove(path: path)
                removed += 1
            }
            // It fails while anything is in it. A folder of these days is about to be written to.
            if paths.isEmpty, wasWritten("photos/" + day, before: cutoff) { rmdir(place) }
        }
        return removed
    }

    /// Removes photos that nothing refers to any more: earlier best frames, discarded sightings.
    ///
    /// The rows go first: a crash in between leaves orphans, never a row without its file.
    ///
    /// - Returns: what was removed.
    @discardableResult
    package func removeUnreferenced(
        in store: Store, keptBefore cutoff: Instant, limit: Int = 500, at now: Instant
    ) throws -> [PhotoRecord] {
        let unreferenced = try store.photos.unreferenced(keptBefore: cutoff, limit: limit)
        let gone = try store.photos.forget(unreferenced, at: now)
        for photo in gone { try remove(photo) }
        return gone
    }

    private func wasWritten(_ path: String, before cutoff: Instant) -> Bool {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url(of: path).path),
            let written = attributes[.modificationDate] as? Date
        else { return false }
        return Instant(seconds: written.timeIntervalSince1970) < cutoff
    }
}
